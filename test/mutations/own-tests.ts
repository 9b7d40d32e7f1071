import { join } from 'node:path'
import type { Catch } from './catch.ts'
import type { Fault } from './faulty.ts'
import { adaptersOf, faultyText, type Mutation } from './plant.ts'

const ROOT = join(import.meta.dir, '../..')
const FAILED = /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/m
const ENDS_WITHIN_MS = 120_000

/** Runs an adapter's own tests in a process that loads one of its files with a fault. */
export async function caughtByOwnTests(kind: string, mutation: Mutation): Promise<Catch | undefined> {
  const [adapter, file] = mutation
  const folder = `test/adapters/${kind}/${adapter}`
  const files = [...new Bun.Glob(`${folder}/*.test.ts`).scanSync(ROOT)]
  if (files.length === 0) return undefined
  const fault: Fault = { path: join(adaptersOf(kind), adapter, file), text: await faultyText(kind, mutation) }
  const child = Bun.spawn([process.execPath, 'test', '--preload', './test/mutations/faulty.ts', '--bail', '--timeout', '20000', ...files], {
    cwd: ROOT,
    env: { ...process.env, FAULT: JSON.stringify(fault) },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: ENDS_WITHIN_MS,
  })
  const output = await child.stderr.text()
  if ((await child.exited) === 0) return undefined
  return { name: FAILED.exec(output)?.[1] ?? 'a test of the adapter', why: folder }
}
