/* bcryptprimitives.dll, which Rust's library takes random numbers from and Wine has had only since version 9; for
 * `try` alone. */
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
  return SystemFunction036(bytes, (ULONG)count);
}
