import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bundleRuntime } from '../bundle.ts'
import { putFile } from '../files.ts'

/** What is needed to start a process, found and written once. */
export interface Launch {
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** An empty folder. */
  readonly folder: string
}

/** The package of this machine's binary, so that no script has to run when packages are installed. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
}

/** The binary, or undefined where it is not installed. */
export function findDeno(): string | undefined {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  try {
    // The package stands beside `deno`, which asks for it.
    const beside = createRequire(createRequire(import.meta.url).resolve('deno/package.json'))
    const binary = join(dirname(beside.resolve(`${name}/package.json`)), 'deno')
    return existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}

const NO_SANDBOX =
  'the sandbox for adapters from elsewhere is not installed: run "bun install" (without --omit=optional), which brings Deno for this machine; ' +
  'or trust these adapters with everything this server can reach and set ADAPTER_ISOLATION=none'

/** No permission, nothing remote, no configuration, no cache of compiled code; the heap has a limit of its own. */
const FLAGS = ['--no-prompt', '--no-remote', '--no-npm', '--no-config', '--no-lock', '--cached-only', '--no-code-cache', '--deny-import']

/** Throws where the binary is missing. `folder` is the sandbox's own, below the data folder. */
export async function prepareLaunch(folder: string, memoryMb: number, binary: string | undefined): Promise<Launch> {
  if (binary === undefined) throw new Error(NO_SANDBOX)
  const empty = join(folder, 'empty')
  await mkdir(empty, { recursive: true })
  const { code, hash } = await bundleRuntime()
  const runtime = join(folder, `runtime-${hash.slice(0, 16)}.js`)
  await putFile(runtime, code)
  return {
    command: [binary, 'run', ...FLAGS, `--v8-flags=--max-old-space-size=${memoryMb}`, runtime],
    environment: { DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' },
    folder: empty,
  }
}
