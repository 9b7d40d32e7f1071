import { underWatch } from '../../acceptance/bench.ts'
import { check, fits, same } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import { type ConnectorAdapter, connector as kind } from '../kind.ts'
import { type ExternalOrder, Pulled, type UnreadableOrder } from '../model.ts'
import type { Rig } from './rig.ts'

export interface Bench {
  readonly platform: ConnectorAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

export interface Draft {
  readonly name: string
  readonly unless?: string | false | undefined
  readonly run: (bench: Bench) => Promise<void> | void
}

export const ADDRESS = 'https://ours.example/v1/integrations/connectors/atlas/webhook/sto_1/int_1'

/** Asks somebody outside: else it has nothing that could fail. */
export const asksSomebody = ({ net, shop }: ConnectorAdapter, { fail }: Rig): boolean =>
  net.length > 0 || (shop !== undefined && fail !== undefined)

/** Runs one case. */
export async function bench(adapter: ConnectorAdapter, rig: Rig, run: Draft['run']): Promise<void> {
  const desks: Desk[] = []
  const play = (platform: ConnectorAdapter, open: Bench['open']) => {
    const kept = (options?: DeskOptions) => {
      const desk = open(options)
      desks.push(desk)
      return desk
    }
    return run({ platform, rig, open: kept })
  }
  await underWatch(adapter, rig, kind.groups, play, async () => (desks[0] ? (await rig.seen(desks[0])).calls : []))
}

const PAGES_MAX = 1_000

type AfterPage = (orders: readonly ExternalOrder[], page: number) => Promise<void>

/** All that is pulled, page by page, each page in its right shape. `afterPage`: what happens in the shop before the next one is asked for. */
export const pullAll = async (
  bench: Pick<Bench, 'platform'>,
  desk: Desk,
  since: string | null,
  afterPage?: AfterPage,
): Promise<ExternalOrder[]> => (await pullPages(bench, desk, since, afterPage)).orders

/** The same, with the orders that wait because they cannot be read. */
export async function pullPages(
  { platform }: Pick<Bench, 'platform'>,
  { context }: Desk,
  since: string | null,
  afterPage?: AfterPage,
): Promise<{ orders: ExternalOrder[]; unreadable: UnreadableOrder[] }> {
  const orders: ExternalOrder[] = []
  const unreadable: UnreadableOrder[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const pulled: Pulled = await platform.pull(context, { since, cursor })
    fits(Pulled, pulled, 'page')
    orders.push(...pulled.orders)
    unreadable.push(...(pulled.unreadable ?? []))
    check(pulled.cursor === null || pulled.cursor !== cursor, 'the cursor moves on')
    cursor = pulled.cursor
    if (cursor === null) return { orders, unreadable }
    await afterPage?.(pulled.orders, page)
  }
  throw new Error(`The reading does not end after ${PAGES_MAX} pages.`)
}

/** The same connection with credentials that the adapter was given since. */
export const withCredentials = ({ rig, open }: Bench, desk: Desk, given: Readonly<Record<string, unknown>>): Desk =>
  open({ memory: desk.context.memory, credentials: { ...rig.credentials, ...given } })

export const isSameOrder = (found: ExternalOrder | undefined, expected: ExternalOrder | undefined, what: string) => {
  check(found && expected, `${what}: the order is there`)
  same(sorted(found), sorted(expected), what)
}

const sorted = (order: ExternalOrder) => Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1))
