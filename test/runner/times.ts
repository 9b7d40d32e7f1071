import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What each file took the last time, on this machine: a hint for the order, worth nothing else. */
const FILE = join(tmpdir(), 'serai-test-times.json')
/** A file that was never run here. */
const UNKNOWN_MS = 4_000
/** Those that take long on any machine. */
const LONG: Readonly<Record<string, number>> = {
  'test/core/orders/order-races.test.ts': 60_000,
  'test/faults/windows.test.ts': 50_000,
  'test/interface/fuzz.test.ts': 45_000,
  'test/faults/database-away.test.ts': 45_000,
  'test/faults/burst.test.ts': 40_000,
  'test/faults/exactly-once.test.ts': 35_000,
  'test/faults/kill.test.ts': 30_000,
  'test/adapters/carrier/carrier.test.ts': 30_000,
  'test/core/money/remittances/remittances-model.test.ts': 30_000,
  'test/core/money/payment-races.test.ts': 30_000,
  'test/plugins/hostile.test.ts': 30_000,
  'test/plugins/commands.test.ts': 20_000,
  'test/plugins/approval.test.ts': 20_000,
  'test/plugins/hot-swap.test.ts': 20_000,
  'test/core/fulfilment/dispatch.test.ts': 20_000,
  'test/interface/credentials.test.ts': 20_000,
  'test/interface/openapi.test.ts': 15_000,
}

export type Times = Record<string, number>

export const readTimes = (): Promise<Times> =>
  Bun.file(FILE)
    .json()
    .catch(() => ({}))

export const writeTimes = (times: Times) => Bun.write(FILE, JSON.stringify(times)).catch(() => {})

export const expectedMs = (times: Times, stage: string, file: string) => times[`${stage} ${file}`] ?? LONG[file] ?? UNKNOWN_MS
