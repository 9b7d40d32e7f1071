import { median } from '../figures.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Subject } from '../world.ts'

const EXISTING_MS = 1_500
const TIMES = 3

/** From the command to the first healthy answer. */
export async function startTimes({ server, firstStartMs }: Subject): Promise<Row[]> {
  const again: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    await server.stop()
    again.push(await server.start())
  }
  const existing = median(again)
  return [
    { what: 'start, fresh data', ours: milliseconds(firstStartMs) },
    {
      what: 'start, existing data',
      ours: milliseconds(existing),
      target: `< ${milliseconds(EXISTING_MS)}`,
      reached: existing < EXISTING_MS,
    },
  ]
}
