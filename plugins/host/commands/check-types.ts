import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Kind } from '../../kind.ts'

const ROOT = join(import.meta.dir, '../../..')
/** Files that run on the author's machine with all of Bun. */
const UNCONFINED = ['rig.ts', 'simulator.ts']
const TIMEOUT_MS = 60_000
const LINES_MAX = 30

type Kinds = readonly Pick<Kind, 'name' | 'directory'>[]

/**
 * Builds TypeScript configurations for an adapter anywhere on this machine. The adapter's code sees only the globals of the sandbox (no
 * `Buffer`, no global `fetch`, no `process`). The simulator and the rig see the types of Bun. Paths are absolute, so the folder may move.
 */
function typeConfigs(folder: string, kinds: Kinds) {
  const paths = Object.fromEntries(
    kinds.flatMap(({ name, directory }) => [
      [`serai/${name}`, [join(directory, 'index.ts')]],
      [`serai/${name}/acceptance`, [join(directory, 'acceptance.ts')]],
    ]),
  )
  const compilerOptions = {
    target: 'ESNext',
    module: 'Preserve',
    moduleResolution: 'bundler',
    strict: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    noEmit: true,
    skipLibCheck: true,
    paths,
  }
  const unconfined = UNCONFINED.map((name) => join(folder, name))
  return {
    'tsconfig.json': {
      compilerOptions: { ...compilerOptions, lib: ['ESNext'], types: [] },
      files: [resolve(ROOT, 'plugins/globals.d.ts')],
      include: [join(folder, '**/*.ts')],
      exclude: [...unconfined, join(folder, '**/*.test.ts'), join(folder, 'node_modules'), join(folder, 'simulator')],
    },
    'tsconfig.rig.json': {
      compilerOptions: { ...compilerOptions, typeRoots: [resolve(ROOT, 'node_modules')], types: ['bun-types'] },
      include: unconfined,
    },
  }
}

/** Writes the configurations into the folder, so that an editor finds the types of `serai/…`. Paths of its own files are relative. */
export async function writeTypeConfigs(folder: string, kinds: Kinds): Promise<void> {
  for (const [name, config] of Object.entries(typeConfigs('.', kinds)))
    await Bun.write(join(folder, name), `${JSON.stringify(config, null, 2)}\n`)
}

/**
 * Rewrites the configurations if their paths do not exist: the folder came from another machine, or the server moved. Returns true if it
 * did.
 */
export async function refreshTypeConfigs(folder: string, kinds: Kinds): Promise<boolean> {
  const file = Bun.file(join(folder, 'tsconfig.json'))
  if (folder.startsWith(`${ROOT}/`) || !(await file.exists())) return false
  const config = (await file.json().catch(() => ({}))) as { compilerOptions?: { paths?: Record<string, string[]> } }
  const ours = Object.entries(config.compilerOptions?.paths ?? {}).filter(([name]) => name.startsWith('serai/'))
  const isLost = ours.some(([, targets]) => targets.some((target) => !existsSync(resolve(folder, target))))
  if (isLost) await writeTypeConfigs(folder, kinds)
  return isLost
}

/**
 * Checks the types of an adapter. Returns the lines with errors; null if TypeScript is not installed next to this server, so that nothing
 * was checked.
 */
export async function findTypeErrors(folder: string, kinds: Kinds): Promise<readonly string[] | null> {
  const compiler = compilerAt()
  if (compiler === undefined) return null
  const scratch = await mkdtemp(join(tmpdir(), 'serai-types-'))
  try {
    const configs = Object.entries(typeConfigs(folder, kinds)).filter(
      ([name]) => name === 'tsconfig.json' || UNCONFINED.some((file) => existsSync(join(folder, file))),
    )
    const found = await Promise.all(
      configs.map(async ([name, config]) => {
        await Bun.write(join(scratch, name), JSON.stringify(config))
        return check(compiler, join(scratch, name), folder)
      }),
    )
    return [...new Set(found.flat())]
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

function compilerAt(): string | undefined {
  try {
    const home = dirname(Bun.resolveSync('typescript/package.json', ROOT))
    return ['lib/tsc.js', 'bin/tsc'].map((path) => join(home, path)).find((path) => existsSync(path))
  } catch {
    return undefined
  }
}

async function check(compiler: string, config: string, folder: string): Promise<string[]> {
  const child = Bun.spawn([process.execPath, compiler, '-p', config, '--pretty', 'false'], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: TIMEOUT_MS,
  })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) === 0) return []
  const lines = `${output}${errors}`.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.slice(0, LINES_MAX) : ['The types could not be checked in time.']
}
