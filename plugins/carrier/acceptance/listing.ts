import { assertEqual, expectFailure, skipCase } from '../../acceptance/checks.ts'
import type { Carrier, Label } from '../contract.ts'
import type { Bench } from './bench.ts'
import type { Draft } from './draft.ts'

/** Cases: filters of the list hold, and a label belongs to its parcel. */
export const listingCases = (carrier: Carrier): Draft[] => {
  const unless = !carrier.list && 'it does not list'
  return [
    { name: 'a list since a time holds what changed afterwards, and nothing that was over long before', unless, run: listsSince },
    { name: 'a list of one raw status holds that alone', unless, run: listsOneStatus },
    { name: 'a cursor that no list gave is refused', unless, run: refusesCursor },
    { name: 'each label is that of its own parcel', unless: !carrier.labels && 'it prints no labels', run: labelsAreTheirs },
  ]
}

const DAY_MS = 86_400_000
const PAGES_MAX = 100

async function listed({ carrier, open }: Bench, query: { status?: string; since?: string }): Promise<string[]> {
  const { context } = open()
  const found: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer: Awaited<ReturnType<NonNullable<Carrier['list']>>> = await carrier.list!(context, {
      limit: 100,
      ...query,
      ...(cursor !== null && { cursor }),
    })
    found.push(...answer.rows.map(({ trackingId }) => trackingId))
    cursor = answer.nextCursor
    if (cursor === null) break
  }
  return found
}

/** Parcels that still move may be listed too. A carrier may count whole days, in its own time zone. */
async function listsSince(bench: Bench): Promise<void> {
  if (bench.carrier.net.length === 0) skipCase('its parcels are notes of one connection')
  const { desk, sent } = await bench.sent()
  const isListed = async (days: number) =>
    (await listed(bench, { since: new Date(Date.now() + days * DAY_MS).toISOString() })).includes(sent.trackingId)
  assertEqual(await isListed(-2), true, 'whether a parcel of today is in the list since two days ago')
  await bench.rig.advance(desk, sent.trackingId, bench.rig.raw.delivered)
  assertEqual(await isListed(3), false, 'whether what was delivered today is in the list since three days ahead')
}

async function listsOneStatus(bench: Bench): Promise<void> {
  if (bench.carrier.net.length === 0) skipCase('its parcels are notes of one connection')
  const [moved, other] = [await bench.sent(), await bench.sent()]
  await bench.rig.advance(moved.desk, moved.sent.trackingId, bench.rig.raw.delivered)
  const found = await listed(bench, { status: bench.rig.raw.delivered })
  assertEqual(
    [found.includes(moved.sent.trackingId), found.includes(other.sent.trackingId)],
    [true, false],
    'whether what is delivered, and what is not, is in the list of what is delivered',
  )
}

const refusesCursor = ({ carrier, open }: Bench) =>
  expectFailure(carrier.list!(open().context, { limit: 2, cursor: 'no-such-cursor' }), ['refused'], 'a list from an unknown cursor').then(
    () => {},
  )

const paperOf = ({ base64, url }: Label) => base64 ?? url?.split('?')[0]

/** A label that is asked for alone is the same that is asked for with others, and no other parcel's. */
async function labelsAreTheirs({ carrier, sent }: Bench): Promise<void> {
  const one = await sent()
  const other = await sent({ recipient: { name: 'Amina Ben Salah', phone: '+213550111222' } }, one.desk)
  const ids = [one.sent.trackingId, other.sent.trackingId]
  const alone = [await carrier.labels!(one.desk.context, [ids[0]!]), await carrier.labels!(one.desk.context, [ids[1]!])].map(
    ([label]) => label && paperOf(label),
  )
  assertEqual(alone[0] === alone[1], false, 'two parcels have the same label')
  const together = await carrier.labels!(one.desk.context, ids)
  if (together.some(({ trackingId }) => trackingId === undefined)) return
  const papers = ids.map((id) => together.filter(({ trackingId }) => trackingId === id).map(paperOf))
  const isSame = papers.map(([paper], at) => paper === alone[at])
  assertEqual(isSame, [true, true], 'each label is the same when others are printed with it')
}
