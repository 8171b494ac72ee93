; The installer: for one user, without an administrator. `build` defines VERSION, NUMBERS (the same as four numbers),
; FILES (the folder of what is installed, and of its pictures) and OUT (what to write).
;
; Options: /S silent, /D=FOLDER (one that holds something of somebody else's gets a folder of ours in it); of the uninstaller /S, and /purge to remove the settings too.
; Exit codes: 0 done, 1 cancelled, 2 failed, 3 the program is running (silent), or was and the user gave up.
Unicode true
Target amd64-unicode
!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include Sections.nsh

!define NAME "Shogibar"
!define PROGRAM "shogibar.exe"
; The relay. It starts the program beside it.
!define RELAY "shogibar-usi.exe"
!define PROGID "Shogibar.Record"
!define CLASSES "Software\Classes"
!define CAPABILITIES "Software\${NAME}\Capabilities"
!define APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\${PROGRAM}"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define SHORTCUT "DesktopShortcut"
!define STILL_RUNNING 3

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
; Where it was put before.
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
RequestExecutionLevel user
ManifestDPIAware true
SetCompressor /SOLID lzma
BrandingText "${NAME} ${VERSION}"
ShowInstDetails nevershow
ShowUninstDetails nevershow

!define MUI_ICON "${FILES}\shogibar.ico"
!define MUI_UNICON "${FILES}\shogibar.ico"
; At twice its size, for screens that scale.
!define MUI_WELCOMEFINISHPAGE_BITMAP "${FILES}\shogibar.bmp"
!define MUI_ABORTWARNING
!define MUI_COMPONENTSPAGE_SMALLDESC
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
; The first is for whoever speaks neither.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Japanese"

VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductName" "${NAME}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=${LANG_ENGLISH} "FileDescription" "${NAME} Setup"
VIAddVersionKey /LANG=${LANG_ENGLISH} "LegalCopyright" "MIT or Apache-2.0"

!macro text NAME ENGLISH JAPANESE
  LangString ${NAME} ${LANG_ENGLISH} "${ENGLISH}"
  LangString ${NAME} ${LANG_JAPANESE} "${JAPANESE}"
!macroend
!insertmacro text Full "Shogibar" "将棋評価値バー"
!insertmacro text Program "Program" "プログラム"
!insertmacro text ProgramMore "The evaluation bar, with its own engine." "評価値バー（エンジン内蔵）"
!insertmacro text Menu "Start menu" "スタートメニュー"
!insertmacro text MenuMore "An entry in the Start menu." "スタートメニューに登録します。"
!insertmacro text Desktop "Desktop" "デスクトップ"
!insertmacro text DesktopMore "A shortcut on the desktop." "デスクトップにショートカットを置きます。"
!insertmacro text Records "Open game records" "棋譜ファイルを開く"
!insertmacro text RecordsMore "Offers Shogibar for .kif .kifu .ki2 .ki2u .csa .jkf. What opens them now stays." \
  ".kif .kifu .ki2 .ki2u .csa .jkf を開くプログラムの候補に加えます。今の既定のプログラムは変わりません。"
!insertmacro text Record "Shogi game record" "将棋の棋譜"
!insertmacro text Comment "Evaluation bar for shogi" "将棋の評価値と読み筋を表示するバー"
!insertmacro text Settings "Settings" "設定"
!insertmacro text SettingsMore "Removes the settings, engines, themes and unsaved records of this user." \
  "このユーザーの設定、エンジンの登録、テーマ、保存していない棋譜を消します。"
!insertmacro text Running \
  "Shogibar is running.$\r$\n$\r$\nClose its windows, and other programs that use its engine or relay, then choose Retry." \
  "Shogibar が起動しています。$\r$\n$\r$\nShogibar のウィンドウと、内蔵エンジンや連携プログラムを使っているほかのソフトを閉じてから、「再試行」を選んでください。"
!insertmacro text NotWritten "$INSTDIR cannot be written to." "$INSTDIR に書き込めません。"

!define GENERIC_WRITE 0x40000000
!define SHARE_ALL 7
!define OPEN_EXISTING 3
!define ERROR_SHARING_VIOLATION 32
; What is done with both programs.
!macro each_program STEP
  !insertmacro ${STEP} "${PROGRAM}"
  !insertmacro ${STEP} "${RELAY}"
!macroend

; Goes on when a program is not running, or gives up. The file of one that runs is refused to whoever wants to write to
; it for that reason and no other: where it may not be written to at all, closing something would not help.
!macro wait_until_closed FILE
  ${Do}
    System::Call 'kernel32::CreateFileW(w "$INSTDIR\${FILE}", i ${GENERIC_WRITE}, i ${SHARE_ALL}, p 0, i ${OPEN_EXISTING}, i 0, p 0) p .r0 ?e'
    Pop $1
    ${If} $0 P<> -1
      System::Call 'kernel32::CloseHandle(p r0)'
      ${ExitDo}
    ${EndIf}
    ${If} $1 <> ${ERROR_SHARING_VIOLATION}
      ${ExitDo}
    ${EndIf}
    ${If} ${Cmd} `MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" /SD IDCANCEL IDCANCEL`
      SetErrorLevel ${STILL_RUNNING}
      Quit
    ${EndIf}
  ${Loop}
!macroend

; Every file beside the programs; each is put there and taken away by its name, since the folder may hold others.
!macro each_text DO
  !insertmacro ${DO} "README.txt"
  !insertmacro ${DO} "LICENSE-MIT.txt"
  !insertmacro ${DO} "LICENSE-APACHE.txt"
  !insertmacro ${DO} "LICENSE-OFL.txt"
  !insertmacro ${DO} "THIRD-PARTY.txt"
!macroend
!macro put NAME
  File "${FILES}\${NAME}"
!macroend
!macro take NAME
  Delete "$INSTDIR\${NAME}"
!macroend

; An upgrade of a program: the new one beside the old one, the old one out of the way, the new one in its place.
!macro put_new NAME
  File "/oname=${NAME}.new" "${FILES}\${NAME}"
!macroend
!macro keep_old NAME
  ${If} ${FileExists} "$INSTDIR\${NAME}"
    Delete "$INSTDIR\${NAME}.old"
    Rename "$INSTDIR\${NAME}" "$INSTDIR\${NAME}.old"
  ${EndIf}
!macroend
!macro name_new NAME
  Rename "$INSTDIR\${NAME}.new" "$INSTDIR\${NAME}"
!macroend
!macro take_old NAME
  Delete "$INSTDIR\${NAME}.old"
!macroend
!macro take_new NAME
  Delete "$INSTDIR\${NAME}.new"
!macroend
!macro bring_back NAME
  ${IfNot} ${FileExists} "$INSTDIR\${NAME}"
    Rename "$INSTDIR\${NAME}.old" "$INSTDIR\${NAME}"
  ${EndIf}
  Delete "$INSTDIR\${NAME}.new"
!macroend

; Where something failed: brings back what was there, and ends.
!macro go_back_on_errors
  ${If} ${Errors}
    !insertmacro each_program bring_back
    SetErrorLevel 2
    MessageBox MB_OK|MB_ICONSTOP "$(NotWritten)" /SD IDOK
    Quit
  ${EndIf}
!macroend

; Takes the shortcut off the desktop if it is ours: who has the portable one may have made one of the same name.
!macro withdraw_shortcut
  ReadRegDWORD $0 HKCU "${UNINSTALL}" "${SHORTCUT}"
  ${If} $0 = 1
    Delete "$DESKTOP\${NAME}.lnk"
    DeleteRegValue HKCU "${UNINSTALL}" "${SHORTCUT}"
  ${EndIf}
!macroend

!macro each_ending DO
  !insertmacro ${DO} "kif"
  !insertmacro ${DO} "kifu"
  !insertmacro ${DO} "ki2"
  !insertmacro ${DO} "ki2u"
  !insertmacro ${DO} "csa"
  !insertmacro ${DO} "jkf"
!macroend
; One of those that open it: what opens it now is another value, and stays.
!macro offer ENDING
  WriteRegNone HKCU "${CLASSES}\.${ENDING}\OpenWithProgids" "${PROGID}"
  WriteRegStr HKCU "${CAPABILITIES}\FileAssociations" ".${ENDING}" "${PROGID}"
!macroend
!macro withdraw ENDING
  DeleteRegValue HKCU "${CLASSES}\.${ENDING}\OpenWithProgids" "${PROGID}"
  ; Not /ifempty: to an older NSIS a key with values and no keys below it is empty.
  DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${CLASSES}\.${ENDING}\OpenWithProgids"
  DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${CLASSES}\.${ENDING}"
!macroend
; Has the Explorer look again: SHCNE_ASSOCCHANGED.
!macro tell_explorer
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
!macro withdraw_all
  !insertmacro each_ending withdraw
  DeleteRegKey HKCU "${CLASSES}\${PROGID}"
  DeleteRegKey HKCU "${CAPABILITIES}"
  DeleteRegKey /ifnosubkeys /ifnovalues HKCU "Software\${NAME}"
  DeleteRegValue HKCU "Software\RegisteredApplications" "${NAME}"
!macroend

Section "$(Program)" SectionProgram
  SectionIn RO
  ; A folder is ours if it is empty, has our name, or is where we were before.
  ReadRegStr $0 HKCU "${UNINSTALL}" "InstallLocation"
  ${GetFileName} "$INSTDIR" $1
  ${DirState} "$INSTDIR" $2
  ${If} $2 = 1
  ${AndIf} $0 != "$INSTDIR"
  ${AndIf} $1 != "${NAME}"
    StrCpy $INSTDIR "$INSTDIR\${NAME}"
  ${EndIf}
  !insertmacro each_program wait_until_closed
  SetOutPath "$INSTDIR"
  ; The old ones are kept until both new ones have their names.
  ClearErrors
  SetOverwrite try
  !insertmacro each_program put_new
  !insertmacro go_back_on_errors
  !insertmacro each_program keep_old
  !insertmacro go_back_on_errors
  !insertmacro each_program name_new
  ${If} ${Errors}
    ; Both old ones or both new ones.
    !insertmacro each_program take
    SetErrors
  ${EndIf}
  !insertmacro go_back_on_errors
  !insertmacro each_program take_old
  ClearErrors
  !insertmacro each_text put
  WriteUninstaller "$INSTDIR\uninstall.exe"
  !insertmacro go_back_on_errors
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "$(Full)"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\${PROGRAM}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Shogibar developers"
  WriteRegStr HKCU "${UNINSTALL}" "URLInfoAbout" "https://github.com/shogibar/shogibar"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
  ; For the Run dialog and `start`: `shogibar`, wherever one is.
  WriteRegStr HKCU "${APP_PATH}" "" "$INSTDIR\${PROGRAM}"
SectionEnd

Section "$(Menu)" SectionMenu
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${PROGRAM}" "" "" "" "" "" "$(Comment)"
SectionEnd

Section /o "$(Desktop)" SectionDesktop
  CreateShortcut "$DESKTOP\${NAME}.lnk" "$INSTDIR\${PROGRAM}" "" "" "" "" "" "$(Comment)"
  WriteRegDWORD HKCU "${UNINSTALL}" "${SHORTCUT}" 1
SectionEnd

Section "$(Records)" SectionRecords
  WriteRegStr HKCU "${CLASSES}\${PROGID}" "" "$(Record)"
  WriteRegStr HKCU "${CLASSES}\${PROGID}\DefaultIcon" "" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKCU "${CLASSES}\${PROGID}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
  WriteRegStr HKCU "${CAPABILITIES}" "ApplicationName" "$(Full)"
  WriteRegStr HKCU "${CAPABILITIES}" "ApplicationDescription" "$(Comment)"
  !insertmacro each_ending offer
  WriteRegStr HKCU "Software\RegisteredApplications" "${NAME}" "${CAPABILITIES}"
  !insertmacro tell_explorer
SectionEnd

; An upgrade takes back what is no longer ticked.
Section -Unticked
  ${IfNot} ${SectionIsSelected} ${SectionMenu}
    Delete "$SMPROGRAMS\${NAME}.lnk"
  ${EndIf}
  ${IfNot} ${SectionIsSelected} ${SectionDesktop}
    !insertmacro withdraw_shortcut
  ${EndIf}
  ${IfNot} ${SectionIsSelected} ${SectionRecords}
    !insertmacro withdraw_all
    !insertmacro tell_explorer
  ${EndIf}
SectionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${SectionProgram} "$(ProgramMore)"
  !insertmacro MUI_DESCRIPTION_TEXT ${SectionMenu} "$(MenuMore)"
  !insertmacro MUI_DESCRIPTION_TEXT ${SectionDesktop} "$(DesktopMore)"
  !insertmacro MUI_DESCRIPTION_TEXT ${SectionRecords} "$(RecordsMore)"
!insertmacro MUI_FUNCTION_DESCRIPTION_END

Section "un.$(Program)" UnProgram
  SectionIn RO
  !insertmacro each_program wait_until_closed
  !insertmacro each_program take
  !insertmacro each_program take_old
  !insertmacro each_program take_new
  !insertmacro each_text take
  Delete "$INSTDIR\uninstall.exe"
  ; A folder that holds anything of somebody else's stays.
  SetOutPath "$TEMP"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  !insertmacro withdraw_shortcut
  !insertmacro withdraw_all
  !insertmacro tell_explorer
  DeleteRegKey HKCU "${APP_PATH}"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd

Section /o "un.$(Settings)" UnSettings
  RMDir /r "$APPDATA\shogibar"
SectionEnd

!insertmacro MUI_UNFUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${UnProgram} "$(ProgramMore)"
  !insertmacro MUI_DESCRIPTION_TEXT ${UnSettings} "$(SettingsMore)"
!insertmacro MUI_UNFUNCTION_DESCRIPTION_END

; An upgrade begins with what was chosen before.
Function .onInit
  ReadRegStr $0 HKCU "${UNINSTALL}" "InstallLocation"
  ${If} $0 == ""
    Return
  ${EndIf}
  ${IfNot} ${FileExists} "$SMPROGRAMS\${NAME}.lnk"
    !insertmacro UnselectSection ${SectionMenu}
  ${EndIf}
  ReadRegDWORD $0 HKCU "${UNINSTALL}" "${SHORTCUT}"
  ${If} $0 = 1
    !insertmacro SelectSection ${SectionDesktop}
  ${EndIf}
  ReadRegStr $0 HKCU "${CLASSES}\${PROGID}" ""
  ${If} $0 == ""
    !insertmacro UnselectSection ${SectionRecords}
  ${EndIf}
FunctionEnd

Function un.onInit
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/purge" $1
  ${IfNot} ${Errors}
    !insertmacro SelectSection ${UnSettings}
  ${EndIf}
FunctionEnd
