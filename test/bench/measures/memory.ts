import { type Memory, memoryOf, UNREADABLE } from '../memory.ts'
import type { Row } from '../table.ts'
import type { Subject } from '../world.ts'

const IDLE_MIB = 150
const IDLE_AFTER_MS = 10_000
const AFTER_LOAD_MS = 3_000

const mebibytes = (value: number) => `${Math.round(value)} MiB`
const unreadable = (what: string): Row[] => [{ what, ours: UNREADABLE }]

/** Of a server that has just been started and that nobody asked anything. */
export async function idleMemory(subject: Subject): Promise<Row[]> {
  await subject.server.stop()
  await subject.server.start()
  await Bun.sleep(IDLE_AFTER_MS)
  const memory = await memoryOf(await subject.pid())
  if (!memory) return unreadable('memory, idle')
  const target = { target: `< ${IDLE_MIB} MiB`, reached: memory.rssMiB < IDLE_MIB }
  return rows('memory, idle 10 s after start', memory, target)
}

/** `peakMiB` is the most there was while all the other measures ran. */
export async function memoryOfLoad(subject: Subject, peakMiB: number): Promise<Row[]> {
  await Bun.sleep(AFTER_LOAD_MS)
  const memory = await memoryOf(await subject.pid())
  if (!memory) return unreadable('memory, under load')
  return [{ what: 'memory, under load (RSS, peak)', ours: mebibytes(peakMiB) }, ...rows('memory, after load', memory)]
}

const rows = (what: string, { rssMiB, pssMiB }: Memory, target: Partial<Row> = {}): Row[] => [
  { what: `${what} (RSS)`, ours: mebibytes(rssMiB), ...target },
  ...(pssMiB === null ? [] : [{ what: `${what} (PSS)`, ours: mebibytes(pssMiB) }]),
]
