import { assertEqual, check, requireMember } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { ConnectorAdapter } from '../kind.ts'
import type { StatusPushed } from '../model.ts'
import type { Bench, Draft } from './bench.ts'
import type { Rig } from './rig.ts'

type Status = StatusPushed['status']
const statuses = ['confirmed', 'sent', 'delivered', 'returned', 'cancelled'] as const satisfies readonly Status[]
const ADDRESS = 'https://ours.example/v1/hook'

/** Cases about data that an adapter writes into the shop, checked against the simulator's records. */
export const pushingCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => {
  const noPush = !platform.pushStatus && 'it has no pushStatus'
  const unknownStatuses = noPush || (!rig.pushed && 'the rig has no pushed statuses')
  return [
    ...statuses.flatMap((status) => [
      {
        name: `a push of ${status} changes this order in the shop, and no other`,
        unless: unknownStatuses,
        run: (bench: Bench) => changesStatus(bench, status),
      },
      {
        name: `a repeated push of ${status} writes nothing`,
        unless: noPush,
        run: (bench: Bench) => writesOnce(bench, status),
      },
    ]),
    {
      name: 'each tracking number is stored with its own order',
      unless: noPush || (rig.keepsNoNumber && 'it does not store tracking numbers'),
      run: storesNumbers,
    },
    {
      name: 'all topics of order events are subscribed',
      unless: (!platform.subscribe && 'it has no subscriptions') || (!rig.topics && 'the rig has no topics'),
      run: subscribesAll,
    },
    {
      name: 'subscriptions with other addresses stay',
      unless: !(platform.subscribe && platform.unsubscribe)
        ? 'it has no subscriptions'
        : rig.endsAll && 'unsubscribing ends all of our subscriptions',
      run: keepsOthers,
    },
  ]
}

const statusOf = async ({ rig }: Bench, desk: Desk, id: string) =>
  requireMember((await rig.seen(desk)).statuses, 'statuses, which pushed requires')[id]

async function changesStatus(bench: Bench, status: Status): Promise<void> {
  const { platform, rig, open } = bench
  const desk = open()
  const [externalId = '', other = ''] = await rig.place(desk, 2)
  const [before, others] = [await statusOf(bench, desk, externalId), await statusOf(bench, desk, other)]
  await platform.pushStatus?.(desk.context, { externalId, status, carrier: 'Atlas', trackingId: 'TRK-1' })
  const expected = requireMember(rig.pushed, 'pushed')[status]
  assertEqual(await statusOf(bench, desk, externalId), expected ?? before, `status of an order that is ${status}`)
  assertEqual(await statusOf(bench, desk, other), others, 'status of another order')
}

/** Checks that a repeated push only reads. A second write might notify the customer twice. */
async function writesOnce({ platform, rig, open }: Bench, status: Status): Promise<void> {
  const desk = open()
  const [externalId = ''] = await rig.place(desk, 1)
  const pushed = { externalId, status, carrier: 'Atlas', trackingId: 'TRK-1' }
  await platform.pushStatus?.(desk.context, pushed)
  const before = (await rig.seen(desk)).calls.length
  await platform.pushStatus?.(desk.context, pushed)
  const again = (await rig.seen(desk)).calls.slice(before)
  const written = again.filter(({ method, body }) => method !== 'GET' && !/^\s*\{"query":"\s*query/.test(body))
  assertEqual(rig.replaces ? [] : written.map(({ method, path }) => `${method} ${path}`), [], 'calls that write an unchanged value')
}

async function storesNumbers({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  const ids = await rig.place(desk, 2)
  for (const [at, externalId] of ids.entries())
    await platform.pushStatus?.(desk.context, { externalId, status: 'sent', carrier: 'Atlas', trackingId: `TRK-${at}` })
  assertEqual([...(await rig.seen(desk)).trackingIds].sort(), ['TRK-0', 'TRK-1'], 'tracking numbers')
}

async function subscribesAll({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  await platform.subscribe?.(desk.context, { address: ADDRESS })
  const subscribed = (await rig.seen(desk)).subscriptions.filter(({ isOn }) => isOn).map(({ topic }) => topic)
  assertEqual(
    requireMember(rig.topics, 'topics').filter((topic) => !subscribed.includes(topic)),
    [],
    'topics without a subscription',
  )
}

async function keepsOthers({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  const other = 'https://ours.example/v1/other'
  const answer = await platform.subscribe?.(desk.context, { address: other })
  const ours = open({ storage: desk.context.storage, credentials: { ...rig.credentials, ...answer?.credentials } })
  await platform.subscribe?.(ours.context, { address: ADDRESS })
  await platform.unsubscribe?.(ours.context, { address: ADDRESS })
  const left = (await rig.seen(ours)).subscriptions
  check(
    left.length > 0 && left.every(({ address }) => address === other),
    `subscriptions with the other address stay: ${JSON.stringify(left)}`,
  )
}
