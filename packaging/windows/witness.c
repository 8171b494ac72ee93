/* What `try` needs to see from inside Windows; never shipped.
 *
 *   witness                        a USI engine, which says as its name whether it sees a console window
 *   witness screen FILE COMMAND    runs a command line in a console of its own, as the command prompt does, and
 *                                  writes to FILE what is then on the screen, and the exit code
 *   witness alone COMMAND          runs a command line without console and streams, as the Explorer does
 */
#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

static int engine(void) {
  char line[4096];
  HWND console = GetConsoleWindow();
  while (fgets(line, sizeof line, stdin)) {
    if (!strncmp(line, "usi\n", 4))
      printf("id name console %s\nusiok\n", console && IsWindowVisible(console) ? "seen" : "none");
    else if (!strncmp(line, "isready", 7))
      puts("readyok");
    else if (!strncmp(line, "go", 2))
      puts("info depth 1 score cp 100 nodes 1 pv 7g7f");
    else if (!strncmp(line, "stop", 4))
      puts("bestmove 7g7f");
    else if (!strncmp(line, "quit", 4))
      break;
    fflush(stdout);
  }
  return 0;
}

static int screen(const wchar_t *file, wchar_t *command) {
  STARTUPINFOW start = {.cb = sizeof start};
  PROCESS_INFORMATION process;
  DWORD code = 0;
  FreeConsole();
  if (!AllocConsole() || !CreateProcessW(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process))
    return 2;
  if (WaitForSingleObject(process.hProcess, 30000) != WAIT_OBJECT_0)
    TerminateProcess(process.hProcess, 99);
  GetExitCodeProcess(process.hProcess, &code);
  HANDLE console = CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                               OPEN_EXISTING, 0, NULL);
  CONSOLE_SCREEN_BUFFER_INFO info;
  FILE *out = _wfopen(file, L"wb");
  if (!out || !GetConsoleScreenBufferInfo(console, &info))
    return 2;
  for (SHORT y = 0; y <= info.dwCursorPosition.Y; y++) {
    wchar_t row[512];
    char text[2048];
    DWORD read = 0;
    DWORD width = info.dwSize.X < 512 ? info.dwSize.X : 512;
    ReadConsoleOutputCharacterW(console, row, width, (COORD){0, y}, &read);
    while (read && row[read - 1] == L' ')
      read--;
    int bytes = WideCharToMultiByte(CP_UTF8, 0, row, read, text, sizeof text, NULL, NULL);
    fprintf(out, "%.*s\n", bytes, text);
  }
  fprintf(out, "exit code %lu\n", code);
  fclose(out);
  return 0;
}

static int alone(wchar_t *command) {
  STARTUPINFOW start = {.cb = sizeof start};
  PROCESS_INFORMATION process;
  DWORD code = 99;
  SetStdHandle(STD_INPUT_HANDLE, NULL);
  SetStdHandle(STD_OUTPUT_HANDLE, NULL);
  SetStdHandle(STD_ERROR_HANDLE, NULL);
  FreeConsole();
  if (!CreateProcessW(NULL, command, NULL, NULL, FALSE, DETACHED_PROCESS, NULL, NULL, &start, &process))
    return 99;
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &code);
  return code;
}

int wmain(int count, wchar_t **arguments) {
  if (count == 4 && !wcscmp(arguments[1], L"screen"))
    return screen(arguments[2], arguments[3]);
  if (count == 3 && !wcscmp(arguments[1], L"alone"))
    return alone(arguments[2]);
  return engine();
}
