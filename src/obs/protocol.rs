//! The messages of obs-websocket 5: JSON in text frames. Pure.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The version of the protocol, which has not changed since OBS 28.
const RPC_VERSION: u32 = 1;

/// The events that are subscribed: general ones, scenes and outputs.
const SUBSCRIPTIONS: u32 = 1 | 4 | 64;

/// The status code of a request that has succeeded.
const SUCCESS: u32 = 100;

/// The maximum length of a text that is stored, in bytes: more than that of any name.
const MAX_TEXT_BYTES: usize = 1000;

/// A message from the server.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ServerMessage {
    /// The first message. With a challenge, the server wants a password.
    Hello(Option<Challenge>),
    /// The client is identified, and may send requests.
    Identified,
    /// The answer to a request.
    Response(ObsResponse),
    /// Something has happened in OBS.
    Event(ObsEvent),
    /// A message of another kind.
    Other,
}

/// The values from which a client proves that it knows the password.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Challenge {
    challenge: String,
    salt: String,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObsResponse {
    /// The number of the request; `None` for an id that no request had.
    pub(crate) id: Option<u64>,
    /// The status code; 100 for success.
    pub(crate) code: u32,
    /// The server's words about a failure; may be empty.
    pub(crate) comment: String,
    /// The data; `Value::Null` without any.
    pub(crate) data: Value,
}

/// An event in OBS.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObsEvent {
    /// The type: `ReplayBufferSaved`.
    pub(crate) kind: String,
    /// The data; `Value::Null` without any.
    pub(crate) data: Value,
}

/// A request to OBS.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObsRequest {
    /// The type: `SaveReplayBuffer`.
    pub(crate) kind: &'static str,
    /// The fields; `Value::Null` without any.
    pub(crate) data: Value,
}

impl ObsRequest {
    /// Creates a request without fields.
    pub(crate) const fn new(kind: &'static str) -> Self {
        Self {
            kind,
            data: Value::Null,
        }
    }

    /// Creates a request with fields.
    pub(crate) const fn with(kind: &'static str, data: Value) -> Self {
        Self { kind, data }
    }

    /// Returns the message with a number, which the answer repeats.
    pub(crate) fn message(&self, id: u64) -> String {
        let mut fields = json!({ "requestType": self.kind, "requestId": id.to_string() });
        // An object that is left out differs from an empty one.
        if !self.data.is_null()
            && let Some(fields) = fields.as_object_mut()
        {
            fields.insert("requestData".to_owned(), self.data.clone());
        }
        json!({ "op": 6, "d": fields }).to_string()
    }
}

impl ObsResponse {
    /// Returns whether the request has succeeded.
    pub(crate) const fn is_success(&self) -> bool {
        self.code == SUCCESS
    }
}

impl Challenge {
    /// Returns the proof that the client knows the password.
    pub(crate) fn answer(&self, password: &str) -> String {
        let hash = |text: String| BASE64_STANDARD.encode(Sha256::digest(text));
        let secret = hash(format!("{password}{}", self.salt));
        hash(format!("{secret}{}", self.challenge))
    }
}

/// Returns the first message of a client. `authentication` is the answer to the challenge; `None` without a challenge.
pub(crate) fn identify(authentication: Option<&str>) -> String {
    let mut fields = json!({ "rpcVersion": RPC_VERSION, "eventSubscriptions": SUBSCRIPTIONS });
    if let (Some(answer), Some(fields)) = (authentication, fields.as_object_mut()) {
        fields.insert("authentication".to_owned(), answer.into());
    }
    json!({ "op": 1, "d": fields }).to_string()
}

impl ServerMessage {
    /// Reads a message. Returns `None` for a text that no server of this protocol sends.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Envelope {
            op: u32,
            d: Value,
        }
        let Envelope { op, d } = serde_json::from_str(text).ok()?;
        d.as_object()?;
        match op {
            0 => {
                d.get("rpcVersion")?.as_u64()?;
                let challenge = d.get("authentication").filter(|found| !found.is_null());
                let challenge = challenge.map(|found| Challenge::deserialize(found).ok());
                match challenge {
                    Some(None) => None,
                    found => Some(Self::Hello(found.flatten())),
                }
            }
            2 => Some(Self::Identified),
            5 => Some(Self::Event(ObsEvent {
                kind: text_of(&d, "eventType")?,
                data: d.get("eventData").cloned().unwrap_or_default(),
            })),
            7 => {
                let status = d.get("requestStatus")?;
                Some(Self::Response(ObsResponse {
                    id: text_of(&d, "requestId")?.parse().ok(),
                    code: u32::try_from(status.get("code")?.as_u64()?).ok()?,
                    comment: text_of(status, "comment").unwrap_or_default(),
                    data: d.get("responseData").cloned().unwrap_or_default(),
                }))
            }
            _ => Some(Self::Other),
        }
    }
}

/// Returns a text field of an object; `None` without one.
pub(crate) fn text_of(object: &Value, field: &str) -> Option<String> {
    let text = object.get(field)?.as_str()?;
    (text.len() <= MAX_TEXT_BYTES).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_to_a_challenge_is_that_of_the_protocol() {
        let challenge = Challenge {
            challenge: "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY=".to_owned(),
            salt: "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=".to_owned(),
        };
        assert_eq!(
            challenge.answer("supersecretpassword"),
            "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4="
        );
    }

    #[test]
    fn messages_are_read() {
        let hello = r#"{"op":0,"d":{"obsWebSocketVersion":"5.1.0","rpcVersion":1}}"#;
        assert_eq!(ServerMessage::parse(hello), Some(ServerMessage::Hello(None)));
        let locked = r#"{"op":0,"d":{"rpcVersion":1,"authentication":{"challenge":"c","salt":"s"}}}"#;
        assert!(matches!(
            ServerMessage::parse(locked),
            Some(ServerMessage::Hello(Some(_)))
        ));
        let answer = r#"{"op":7,"d":{"requestType":"A","requestId":"12","requestStatus":{"result":false,"code":604,"comment":"off"}}}"#;
        let Some(ServerMessage::Response(response)) = ServerMessage::parse(answer) else {
            panic!("{answer}");
        };
        assert_eq!(
            (
                response.id,
                response.code,
                response.comment.as_str(),
                response.is_success()
            ),
            (Some(12), 604, "off", false)
        );
        let event = r#"{"op":5,"d":{"eventType":"ExitStarted","eventIntent":1}}"#;
        assert_eq!(
            ServerMessage::parse(event),
            Some(ServerMessage::Event(ObsEvent {
                kind: "ExitStarted".to_owned(),
                data: Value::Null
            }))
        );
        assert_eq!(
            ServerMessage::parse(r#"{"op":9,"d":{}}"#),
            Some(ServerMessage::Other)
        );
        for foreign in [
            "",
            "[]",
            "{}",
            r#"{"op":0}"#,
            r#"{"op":0,"d":[]}"#,
            r#"{"op":0,"d":{}}"#,
            r#"{"op":0,"d":{"rpcVersion":1,"authentication":{"salt":5}}}"#,
            r#"{"op":7,"d":{"requestId":"1"}}"#,
            r#"{"op":-1,"d":{}}"#,
        ] {
            assert_eq!(ServerMessage::parse(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn requests_leave_out_empty_fields() {
        assert_eq!(
            ObsRequest::new("GetVersion").message(7),
            r#"{"d":{"requestId":"7","requestType":"GetVersion"},"op":6}"#
        );
        assert_eq!(
            ObsRequest::with("A", json!({ "sceneName": "場面" })).message(8),
            r#"{"d":{"requestData":{"sceneName":"場面"},"requestId":"8","requestType":"A"},"op":6}"#
        );
        assert_eq!(
            identify(None),
            r#"{"d":{"eventSubscriptions":69,"rpcVersion":1},"op":1}"#
        );
    }
}
