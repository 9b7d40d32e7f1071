import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Carrier, CarrierContext } from '../../../plugins/carrier/contract.ts'
import { carrier as kind } from '../../../plugins/carrier/kind.ts'
import { bundleAdapter } from '../../../plugins/host/bundle.ts'
import { openSandbox, type Sandbox } from '../../../plugins/host/sandbox/sandbox.ts'
import { isAdapterOfKind } from '../../../plugins/kind.ts'
import { atlas, put } from '../../plugins/atlas.ts'
import { swapUnderLoad } from '../../plugins/swaps.ts'
import { connectionUrl } from '../../support/database.ts'
import { spawnServer } from '../../support/process.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { storefront } from '../../support/storefront.ts'
import { until } from '../../support/until.ts'
import { median, quantile } from '../figures.ts'
import { memoryOf } from '../memory.ts'
import { milliseconds, type Row } from '../table.ts'

const COLD_STARTS = 20
const COLD_MS = 100
const CALLS = 3_000
const PROCESSES = [1, 20, 100]
const SWAPS = 100
const PER_SECOND = 500

/** Adapters in processes of their own, and their exchange while the server works. */
export async function adapters(): Promise<Row[]> {
  const folder = await scratchFolder()
  const sandbox = openSandbox({ folder, processes: 100, memoryMb: 64, report: (_, words) => console.error(words) })
  try {
    const carrier = await isolated(folder, sandbox)
    return [...(await coldCalls(carrier)), ...(await warmCalls(carrier)), ...(await memoryOfMany(carrier, sandbox)), ...(await swaps())]
  } finally {
    await sandbox.close()
  }
}

async function isolated(folder: string, sandbox: Sandbox): Promise<Carrier> {
  await put(join(folder, 'atlas'), { 'index.ts': atlas() })
  const bundle = await bundleAdapter(join(folder, 'atlas'), { within: true })
  return sandbox.adapters(bundle, await sandbox.inspect(bundle)).find((adapter) => isAdapterOfKind(kind, adapter))!
}

const contextOf = (connectionId: string) =>
  ({
    storeId: 'sto_bench',
    connectionId,
    credentials: {},
    settings: {},
    now: Date.now,
    signal: AbortSignal.timeout(60_000),
  }) as CarrierContext

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function coldCalls(carrier: Carrier): Promise<Row[]> {
  const times: number[] = []
  for (let at = 0; at < COLD_STARTS; at += 1) times.push(await timed(() => carrier.fees!(contextOf(`cold${at}`), {})))
  const first = median(times)
  return [
    {
      what: 'adapter in a process of its own, first call',
      ours: milliseconds(first),
      target: `< ${milliseconds(COLD_MS)}`,
      reached: first < COLD_MS,
    },
  ]
}

async function warmCalls(carrier: Carrier): Promise<Row[]> {
  const inProcess: Pick<Carrier, 'fees'> = { fees: () => [{ stateCode: '16', home: 1, pickup: null }] }
  const rows: Row[] = []
  for (const [what, { fees }] of [
    ['in process', inProcess],
    ['in a process of its own', carrier],
  ] as const) {
    const context = contextOf('warm')
    const times: number[] = []
    for (let at = 0; at < CALLS; at += 1) times.push(await timed(() => fees!(context, {})))
    rows.push({
      what: `trivial member ${what} (p50, p99)`,
      ours: [0.5, 0.99].map((part) => microseconds(quantile(times, part))).join(', '),
    })
  }
  return rows
}

const microseconds = (ms: number) => `${(ms * 1000).toFixed(ms < 0.01 ? 1 : 0)} µs`

async function memoryOfMany(carrier: Carrier, sandbox: Sandbox): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of PROCESSES) {
    sandbox.retire(new Set())
    await until(() => sandbox.pids().length === 0)
    for (let at = 0; at < count; at += 1) await carrier.fees!(contextOf(`memory${at}`), {})
    const each = await Promise.all(sandbox.pids().map(memoryOf))
    const mebibytes = each.reduce((sum, memory) => sum + (memory?.pssMiB ?? Number.NaN), 0)
    rows.push({
      what: `memory of ${each.length} such processes (PSS)`,
      ours: `${Math.round(mebibytes)} MiB, ${(mebibytes / each.length).toFixed(1)} each`,
    })
  }
  return rows
}

/** The folder of an adapter is changed again and again while its own route and the server's are asked. */
async function swaps(): Promise<Row[]> {
  const folder = await scratchFolder()
  const home = join(folder, 'atlas')
  await put(home, { 'index.ts': atlas({ price: 0 }) })
  const server = await spawnServer({ ...(await connectionUrl()), ADAPTER_DIRS: folder, ADAPTER_APPROVAL: 'auto' })
  try {
    const { ok, open } = storefront(server.url)
    const { as, key, storeId } = await open()
    const base = `/v1/stores/${storeId}/integrations/atlas`
    await ok('PUT', base, as, { enabled: true, credentials: { token: 't' } })
    const ask = (path: string) => fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })
    const fee = async () => ((await ok('GET', `${base}/fees`, key)) as { home: number }[])[0]!.home
    const { asked, failed, perSecond, takenMs } = await swapUnderLoad(
      SWAPS,
      PER_SECOND,
      async (time) => {
        await put(home, { 'index.ts': atlas({ price: time + 1 }) })
        await until(async () => (await fee()) === time + 1)
      },
      async (turn) => {
        const path = turn % 2 === 0 ? `${base}/fees` : `/v1/stores/${storeId}`
        const answer = await ask(path)
        const text = await answer.text()
        return answer.status === 200 ? undefined : `${path} ${answer.status} ${text}`
      },
    )
    for (const failure of new Set(failed)) console.error(failure)
    return [
      {
        what: `${SWAPS} hot swaps at ${Math.round(perSecond)} requests/s, failed of ${asked.toLocaleString('en')}`,
        ours: String(failed.length),
        target: '0',
        reached: failed.length === 0,
      },
      { what: 'hot swap, from the file to the first new answer', ours: milliseconds(median(takenMs)) },
    ]
  } finally {
    await server.stop()
    await rm(dirname(server.dataDir), { recursive: true, force: true })
  }
}
