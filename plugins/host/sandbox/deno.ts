import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { writeFileAtomically } from '../atomic-file.ts'
import { bundleRuntime } from '../bundle.ts'

/** Everything needed to start a process, prepared once. */
export interface ProcessLaunch {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** An empty folder. */
  readonly folder: string
}

/** Package with the Deno binary of each platform. It is resolved directly, so that no install script has to run. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
}

/** Returns the path of the Deno binary, or undefined if it is not installed. */
export function findDeno(): string | undefined {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  try {
    // The binary's package is a dependency of `deno`, so it is resolved from there.
    const beside = createRequire(createRequire(import.meta.url).resolve('deno/package.json'))
    const binary = join(dirname(beside.resolve(`${name}/package.json`)), 'deno')
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}

const NO_SANDBOX =
  'the sandbox for third-party adapters is not installed: run "bun install" (without --omit=optional), which brings Deno for this machine; ' +
  'or set ADAPTER_ISOLATION=none, which gives these adapters access to everything that this server can reach'

/** Flags that allow no permission, no remote code, no configuration and no cache of compiled code. */
const FLAGS = ['--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-lock', '--cached-only', '--no-code-cache', '--deny-import']

/**
 * Writes the runtime into `folder` (the sandbox's own, below the data folder) and returns how to start it. Throws if the binary is missing.
 */
export async function prepareLaunch(folder: string, memoryMb: number, binary: string | undefined): Promise<ProcessLaunch> {
  if (binary === undefined) throw new Error(NO_SANDBOX)
  const empty = join(folder, 'empty')
  await mkdir(empty, { recursive: true })
  const { code, hash } = await bundleRuntime()
  const runtime = join(folder, `runtime-${hash.slice(0, 16)}.js`)
  await writeFileAtomically(runtime, code)
  return {
    command: [binary, 'run', ...FLAGS, `--v8-flags=--max-old-space-size=${memoryMb}`, runtime],
    environment: { DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    folder: empty,
  }
}
