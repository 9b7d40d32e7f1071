import { runRecorded } from '../../acceptance/bench.ts'
import { assertEqual, assertFits, check } from '../../acceptance/checks.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import { type ConnectorAdapter, connector as kind } from '../kind.ts'
import { type ExternalOrder, Pulled, type UnreadableOrder } from '../model.ts'
import type { Rig } from './rig.ts'

/** Everything that a case uses: the recorded adapter, its rig, and connections. */
export interface Bench {
  readonly platform: ConnectorAdapter
  readonly rig: Rig
  open(options?: DeskOptions): Desk
}

/** A case before it is bound to an adapter and a rig. `unless` is the reason to skip it, if any. */
export interface Draft {
  readonly name: string
  readonly unless?: string | false | undefined
  readonly run: (bench: Bench) => Promise<void> | void
}

/** Address for callbacks in the cases. */
export const ADDRESS = 'https://ours.example/v1/integrations/connectors/atlas/webhook/sto_1/int_1'

/** Returns true if the adapter makes calls; otherwise none can fail. */
export const hasCalls = ({ net, shop }: ConnectorAdapter, { fail }: Rig): boolean =>
  net.length > 0 || (shop !== undefined && fail !== undefined)

/** Runs one case. */
export async function runCase(adapter: ConnectorAdapter, rig: Rig, run: Draft['run']): Promise<void> {
  const desks: Desk[] = []
  const play = (platform: ConnectorAdapter, open: Bench['open']) => {
    const openRecorded = (options?: DeskOptions) => {
      const desk = open(options)
      desks.push(desk)
      return desk
    }
    return run({ platform, rig, open: openRecorded })
  }
  await runRecorded(adapter, rig, kind.groups, play, async () => (desks[0] ? (await rig.seen(desks[0])).calls : []))
}

const PAGES_MAX = 1_000

type AfterPage = (orders: readonly ExternalOrder[], page: number) => Promise<void>

/** Pulls and validates the orders of all pages. `afterPage` changes the shop before the next page is read. */
export const pullAll = async (
  bench: Pick<Bench, 'platform'>,
  desk: Desk,
  since: string | null,
  afterPage?: AfterPage,
): Promise<ExternalOrder[]> => (await pullPages(bench, desk, since, afterPage)).orders

/** Pulls the orders of all pages like {@link pullAll}, and returns those that cannot be read too. */
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
    assertFits(Pulled, pulled, 'page')
    orders.push(...pulled.orders)
    unreadable.push(...(pulled.unreadable ?? []))
    check(pulled.cursor === null || pulled.cursor !== cursor, 'the cursor changes with each page')
    cursor = pulled.cursor
    if (cursor === null) return { orders, unreadable }
    await afterPage?.(pulled.orders, page)
  }
  throw new Error(`The pages do not end after ${PAGES_MAX} pages.`)
}

/** Opens the same connection with further credentials. */
export const withCredentials = ({ rig, open }: Bench, desk: Desk, given: Readonly<Record<string, unknown>>): Desk =>
  open({ storage: desk.context.storage, credentials: { ...rig.credentials, ...given } })

/** Checks that two orders are equal. Their raw data may differ: a shop sends more when it is asked for one order. */
export const assertSameOrder = (found: ExternalOrder | undefined, expected: ExternalOrder | undefined, what: string) => {
  check(found && expected, `${what}: the order exists`)
  assertEqual(sorted(found), sorted(expected), what)
}

const sorted = ({ raw: _, ...order }: ExternalOrder) => Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1))
