import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What each file took the last time, on this machine: a hint for the order, worth nothing else. */
const FILE = join(tmpdir(), 'serai-test-times.json')
/** A file that was never run here. */
const UNKNOWN_MS = 8_000
/** Those that take long on any machine. */
const LONG: Readonly<Record<string, number>> = {
  'test/core/sales/order-races.test.ts': 70_000,
  'test/faults/kill.test.ts': 65_000,
  'test/faults/windows.test.ts': 55_000,
  'test/faults/exactly-once.test.ts': 40_000,
  'test/faults/database-away.test.ts': 45_000,
  'test/core/logistics/cash-model.test.ts': 40_000,
  'test/adapters/carrier/carrier.test.ts': 60_000,
}

export type Times = Record<string, number>

export const readTimes = (): Promise<Times> =>
  Bun.file(FILE)
    .json()
    .catch(() => ({}))

export const writeTimes = (times: Times) => Bun.write(FILE, JSON.stringify(times)).catch(() => {})

export const expectedMs = (times: Times, stage: string, file: string) => times[`${stage} ${file}`] ?? LONG[file] ?? UNKNOWN_MS
