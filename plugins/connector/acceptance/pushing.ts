import { check, needed, same } from '../../acceptance/checks.ts'
import type { Desk } from '../../acceptance/desk.ts'
import type { ConnectorAdapter } from '../kind.ts'
import type { StatusPushed } from '../model.ts'
import type { Bench, Draft } from './bench.ts'
import type { Rig } from './rig.ts'

type Status = StatusPushed['status']
const statuses = ['confirmed', 'sent', 'delivered', 'returned', 'cancelled'] as const satisfies readonly Status[]
const ADDRESS = 'https://ours.example/v1/hook'

/** Cases of what an adapter writes into the shop, judged by what stands in the shop's own books afterwards. */
export const pushingCases = (platform: ConnectorAdapter, rig: Rig): Draft[] => {
  const untold = !platform.pushStatus && 'it is told nothing'
  const silent = untold || (!rig.pushed && 'the rig does not say how the shop writes what it is told')
  return [
    ...statuses.flatMap((status) => [
      {
        name: `an order that is ${status} stands in the shop so, and no other order is touched`,
        unless: silent,
        run: (bench: Bench) => standsAsTold(bench, status),
      },
      {
        name: `told twice that an order is ${status}, the shop is written to no second time`,
        unless: untold,
        run: (bench: Bench) => writesOnce(bench, status),
      },
    ]),
    {
      name: 'the number of a parcel stands at its own order',
      unless: untold || (rig.keepsNoNumber && 'it has no place for the number of a parcel'),
      run: standsAtItsOrder,
    },
    {
      name: 'each topic that the shop has of orders is subscribed to',
      unless: (!platform.subscribe && 'it is not asked to call back') || (!rig.topics && 'the rig does not say which topics there are'),
      run: hearsAll,
    },
    {
      name: 'subscriptions at other addresses are left alone',
      unless: !(platform.subscribe && platform.unsubscribe)
        ? 'it is not asked to call back'
        : rig.endsAll && 'it ends all that are ours at once',
      run: leavesOthers,
    },
  ]
}

const statusOf = async ({ rig }: Bench, desk: Desk, id: string) =>
  needed((await rig.seen(desk)).statuses, 'statuses, though it says how they are written')[id]

async function standsAsTold(bench: Bench, status: Status): Promise<void> {
  const { platform, rig, open } = bench
  const desk = open()
  const [externalId = '', other = ''] = await rig.place(desk, 2)
  const [before, others] = [await statusOf(bench, desk, externalId), await statusOf(bench, desk, other)]
  await platform.pushStatus?.(desk.context, { externalId, status, carrier: 'Atlas', trackingId: 'TRK-1' })
  const expected = needed(rig.pushed, 'pushed')[status]
  same(await statusOf(bench, desk, externalId), expected ?? before, `status of an order that is ${status}`)
  same(await statusOf(bench, desk, other), others, 'status of another order')
}

/** Reading does no harm; what is written twice may tell a customer twice. */
async function writesOnce({ platform, rig, open }: Bench, status: Status): Promise<void> {
  const desk = open()
  const [externalId = ''] = await rig.place(desk, 1)
  const told = { externalId, status, carrier: 'Atlas', trackingId: 'TRK-1' }
  await platform.pushStatus?.(desk.context, told)
  const before = (await rig.seen(desk)).calls.length
  await platform.pushStatus?.(desk.context, told)
  const again = (await rig.seen(desk)).calls.slice(before)
  const written = again.filter(({ method, body }) => method !== 'GET' && !/^\s*\{"query":"\s*query/.test(body))
  same(rig.replaces ? [] : written.map(({ method, path }) => `${method} ${path}`), [], 'calls that write what stands there already')
}

async function standsAtItsOrder({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  const ids = await rig.place(desk, 2)
  for (const [at, externalId] of ids.entries())
    await platform.pushStatus?.(desk.context, { externalId, status: 'sent', carrier: 'Atlas', trackingId: `TRK-${at}` })
  same([...(await rig.seen(desk)).trackingIds].sort(), ['TRK-0', 'TRK-1'], 'numbers')
}

async function hearsAll({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  await platform.subscribe?.(desk.context, { address: ADDRESS })
  const heard = (await rig.seen(desk)).subscriptions.filter(({ isOn }) => isOn).map(({ topic }) => topic)
  same(
    needed(rig.topics, 'topics').filter((topic) => !heard.includes(topic)),
    [],
    'topics that are not heard',
  )
}

async function leavesOthers({ platform, rig, open }: Bench): Promise<void> {
  const desk = open()
  const other = 'https://ours.example/v1/other'
  const answer = await platform.subscribe?.(desk.context, { address: other })
  const ours = open({ memory: desk.context.memory, credentials: { ...rig.credentials, ...answer?.credentials } })
  await platform.subscribe?.(ours.context, { address: ADDRESS })
  await platform.unsubscribe?.(ours.context, { address: ADDRESS })
  const left = (await rig.seen(ours)).subscriptions
  check(left.length > 0 && left.every(({ address }) => address === other), `those of another address stay: ${JSON.stringify(left)}`)
}
