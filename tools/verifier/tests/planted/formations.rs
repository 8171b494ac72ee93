use crate::support::{Scene, after};
use shogibar_facts::FactKind::{Castle, CastleBroken, Opening};
use shogibar_shogi::Color::{self, Black, White};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

fn castle(moves: &'static str, side: Color, name: &'static str, name_en: &'static str) -> Scene {
    Scene::after(START, moves, after(side, Castle { name, name_en }, ""))
}

fn opening(start: &'static str, moves: &'static str, name: &'static str, name_en: &'static str) -> Scene {
    Scene::after(start, moves, after(White, Opening { name, name_en }, ""))
}

#[test]
fn castles() {
    let new = "7g7f 3c3d 2h6h 8c8d 5i4h 8d8e 4h3h 5a4b 3h2h 4b3b 3i3h";
    castle(new, Black, "片美濃囲い", "Half Mino").fails("no castle stood");
    let stood = "7g7f 3c3d 2h6h 8c8d 5i4h 8d8e 4h3h 5a4b 3h2h 4b3b 3i3h 7a6b";
    castle(stood, Black, "片美濃囲い", "Half Mino").holds();
    castle(stood, White, "片美濃囲い", "Half Mino").fails("does not hold");
    castle(stood, Black, "美濃囲い", "Mino").fails("does not hold");
    castle(stood, Black, "片美濃囲い", "Mino").fails("no such name");
    let full = "7g7f 3c3d 2h6h 8c8d 5i4h 8d8e 4h3h 5a4b 3h2h 4b3b 3i3h 7a6b 6i5h 6b5a";
    castle(full, Black, "片美濃囲い", "Half Mino").fails("comes first");
}

#[test]
fn openings() {
    let wings = "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b";
    opening(START, wings, "相掛かり", "Double Wing Attack").holds();
    opening(START, wings, "相掛かり", "Double Wing").fails("no such name");
    opening(START, wings, "横歩取り", "Side Pawn Capture").fails("the opening is 相掛かり");
    opening(START, "2g2f 8c8d", "相掛かり", "Double Wing Attack").fails("the opening is -");
    let lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    opening(lance, "3c3d", "香落ち", "Lance Handicap").holds();
    opening(START, "7g7f", "香落ち", "Lance Handicap").fails("another handicap");
}

#[test]
fn broken_castles() {
    let broken = |name, name_en| after(Black, CastleBroken { name, name_en }, "");
    Scene::after(START, "7g7f 3c3d", broken("金矢倉", "Gold Yagura")).fails("never stood");
    let given_up = "7g7f 3c3d 2h6h 8c8d 5i4h 8d8e 4h3h 5a4b 3h2h 4b3b 3i3h 7a6b 1g1f 1c1d 1f1e 1d1e 2h1g";
    Scene::after(START, given_up, broken("片美濃囲い", "Half Mino")).fails("no gold or silver");
}
