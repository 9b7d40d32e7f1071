import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { scratchFolder } from '../support/scratch.ts'
import { difference, type Step, stepsOf, unmarked } from './examples.ts'
import { pages } from './pages.ts'
import { hasExampleTools } from './tools.ts'

/** Blocks that cannot run here, by their page and what their code contains, each with the reason. */
const CANNOT_RUN: readonly { readonly page: string; readonly contains: string; readonly reason: string }[] = []

/** Address in the pages; the test's server is elsewhere. */
const ADDRESS = 'http://127.0.0.1:3000'
const TIMEOUT_MS = 120_000
const PAGE_MS = 90_000

const isRun = (path: string, { code }: Step) => !CANNOT_RUN.some(({ page, contains }) => page === path && code.includes(contains))
const withSteps = pages.map(({ path, text }) => ({ path, steps: stepsOf(text) })).filter(({ steps }) => steps.length > 0)

let server: Promise<ServerProcess> | undefined
const folder = await scratchFolder()
afterAll(async () => (await server)?.stop())
const startOnce = () => {
  server ??= spawnServer()
  return server
}

/** Every call must succeed, and every value that is picked from an answer must be there. */
const PRELUDE = `set -Eeuo pipefail
curl() {
  local code=0
  command curl --fail-with-body --max-time 60 --output "$out-answer" "$@" || code=$?
  [ $code = 0 ] || cat "$out-answer" >&2 || true
  cat "$out-answer"
  return $code
}
jq() { command jq -e "$@"; }
trap 'echo "line $LINENO of block $block failed: $BASH_COMMAND" >&2; cat "$out-$block" >&2' ERR
[ ! -f "$variables" ] || . "$variables"
`

/** Runs the blocks of a page one after another in one shell. Returns what each printed. `saveTo` keeps its variables for other pages. */
async function runPage(path: string, steps: readonly Step[], { saves }: { saves: boolean }): Promise<string[]> {
  const { url } = await startOnce()
  const out = join(folder, path.replaceAll('/', '-'))
  const parts = steps.map(({ code }, at) => `block=${at + 1}\nexec >"$out-$block"\n${code.replaceAll(ADDRESS, url)}`)
  const script = `${PRELUDE}${parts.join('\n')}\n${saves ? 'declare -p api json token auth store product order > "$variables"\n' : ''}`
  await Bun.write(`${out}.sh`, script)
  const run = Bun.spawn(['bash', `${out}.sh`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, out, variables: join(folder, 'variables') },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: PAGE_MS,
  })
  const complaints = await new Response(run.stderr).text()
  if ((await run.exited) !== 0) throw new Error(`${path}: ${complaints}`)
  return Promise.all(steps.map((_, at) => Bun.file(`${out}-${at + 1}`).text()))
}

/** The last JSON value of what a block printed. */
function lastJson(text: string): unknown {
  const lines = text.trimEnd().split('\n')
  for (let from = lines.length - 1; from >= 0; from -= 1) {
    try {
      return JSON.parse(lines.slice(from).join('\n'))
    } catch {}
  }
  return undefined
}

async function check(path: string, steps: readonly Step[], saves: boolean) {
  const run = steps.filter((step) => isRun(path, step))
  const printed = await runPage(path, run, { saves })
  const strays = run.map(({ shows }, at) => (shows === undefined ? null : difference(shows, lastJson(printed[at] ?? ''))))
  expect(strays.filter(Boolean)).toEqual([])
}

describe('examples', () => {
  test('a block that calls the server is marked as bash, so that it is run', () => {
    expect(pages.filter(({ text }) => unmarked(text) > 0).map(({ path }) => path)).toEqual([])
  })

  test('every block that is said not to run here exists', () => {
    const missing = CANNOT_RUN.filter(
      ({ page, contains }) => !withSteps.some(({ path, steps }) => path === page && steps.some(({ code }) => code.includes(contains))),
    )
    expect(missing).toEqual([])
  })

  test('a difference between what a page shows and what is printed is found', () => {
    expect(difference({ a: [1, { b: 'x' }] }, { a: [1, { b: 'x', c: 2 }], d: 3 })).toBeNull()
    expect(difference({ id: 'ord_01jd3k8s6wq2v5x7y9z0a1b2c3' }, { id: 'ord_other' })).toBeNull()
    expect(difference({ a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }] })).toBe('$.a[1].b is "y", not "x"')
    expect(difference({ a: 1 }, {})).toBe('$.a is undefined, not 1')
  })

  // The README sets the variables of all other pages, and getting-started goes on from there.
  const first = ['README.md', 'docs/getting-started.md']
  const rank = (path: string) => (first.includes(path) ? first.indexOf(path) : first.length)
  for (const { path, steps } of withSteps.toSorted((a, b) => rank(a.path) - rank(b.path)))
    test.skipIf(!hasExampleTools)(
      `${path}: its examples run as they are written`,
      () => check(path, steps, path === 'README.md'),
      TIMEOUT_MS,
    )
})
