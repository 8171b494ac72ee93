# Tries the Windows packages on Windows: the portable zip and the installer, used and taken out again.
#
# usage: packaging/release/try-windows.ps1 VERSION FOLDER
param([Parameter(Mandatory)] [string] $Version, [Parameter(Mandatory)] [string] $Folder)
$ErrorActionPreference = 'Stop'
$PSNativeCommandUseErrorActionPreference = $true
$name = Join-Path $Folder "shogibar-$Version-windows-x86_64"

function Confirm-That([string] $What, [bool] $Holds) {
    if (-not $Holds) { throw "failed: $What" }
    Write-Output "ok: $What"
}

# What a program with windows says is waited for when it goes into a pipe.
function Confirm-Program([string] $Program) {
    $said = & $Program --version | Out-String
    Confirm-That "$Program is $Version" $said.Contains($Version)
    $said = & $Program convert examples/selfplay.kif --to csa -o '-' | Out-String
    Confirm-That "$Program converts a record" ($said -match '(?m)^%')
    $said = "usi`nisready`nposition startpos`ngo nodes 1000`nquit`n" | & $Program engine | Out-String
    Confirm-That "$Program plays a move" ($said -match '(?m)^bestmove')
    $relay = Join-Path (Split-Path $Program) 'shogibar-usi.exe'
    $said = "usi`nquit`n" | & $relay --engine builtin | Out-String
    Confirm-That "$relay finds the built-in engine" ($said -match '(?m)^usiok')
}

$portable = Join-Path $env:RUNNER_TEMP 'portable'
Expand-Archive "$name.zip" $portable
Confirm-Program (Join-Path $portable 'Shogibar\shogibar.exe')

Confirm-That 'the zip has the licences of what others wrote' (Test-Path (Join-Path $portable 'Shogibar\THIRD-PARTY.txt'))

Start-Process -Wait "$name-setup.exe" '/S'
$installed = Join-Path $env:LOCALAPPDATA 'Programs\Shogibar'
Confirm-Program (Join-Path $installed 'shogibar.exe')
Confirm-That 'so has what is installed' (Test-Path (Join-Path $installed 'THIRD-PARTY.txt'))
$key = 'HKCU:\Software\Microsoft\Windows\CurrentVersion\Uninstall\Shogibar'
Confirm-That 'Windows knows the version' ((Get-ItemProperty $key).DisplayVersion -eq $Version)

# The uninstaller goes on as a copy of itself, which is not waited for.
Start-Process -Wait (Join-Path $installed 'uninstall.exe') '/S'
for ($second = 0; $second -lt 30 -and (Test-Path $installed); $second++) { Start-Sleep 1 }
Confirm-That 'nothing is left behind' (-not (Test-Path $installed))
Confirm-That 'Windows has forgotten it' (-not (Test-Path $key))
