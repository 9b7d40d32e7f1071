import {
  type Ad,
  type AdAccount,
  type AdapterContext,
  type AdSet,
  ads,
  ask,
  type Campaign,
  type Fields,
  hashedAs,
  type Insight,
  isRow,
  type Listing,
  majorAmount,
  normalEmail,
  number,
  type PixelEvent,
  pageAddress,
  phoneDigits,
  present,
  printed,
  problemOf,
  type Query,
  type Row,
  readable,
  rows,
  sendParted,
  text,
  unreadable,
  word,
} from 'serai/ads'

const label = 'Example'
const host = 'api.example.com'
const credentials = { token: { label: 'Token', secret: true } } as const satisfies Fields
const settings = {} as const satisfies Fields
type Context = AdapterContext<typeof credentials, typeof settings>

/** Makes one call. Throws by the status of an answer that is not a success. */
async function call(context: Context, path: string, { query, json }: { query?: Query; json?: unknown } = {}): Promise<Row> {
  const method = json === undefined ? 'GET' : 'POST'
  const answer = await ask(context, label, `https://${host}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${context.credentials.token}` },
    ...(query && { query }),
    ...(json !== undefined && { json }),
  })
  if (!answer.ok) throw problemOf(context, label, answer, { method })
  if (!isRow(answer.value)) throw unreadable(label, 'no object')
  return answer.value
}

async function listOf(context: Context, path: string, query: Query = {}): Promise<{ rows: Row[]; cursor?: string }> {
  const answer = await call(context, path, { query })
  if (!Array.isArray(answer.rows)) throw unreadable(label, 'no list')
  return { rows: rows(answer.rows), ...present({ cursor: word(answer.next) }) }
}

const queryOf = ({ campaignId, adSetId, adId, limit, cursor }: Listing) => ({
  campaign: campaignId,
  set: adSetId,
  ad: adId,
  limit,
  page: cursor,
})

const states: Readonly<Record<string, Campaign['state']>> = { on: 'active', off: 'paused', over: 'ended' }

function shownIn(row: Row) {
  const [id, status = 'unknown'] = [word(row.id), printed(row.status, 60)]
  return id === undefined ? undefined : { id, name: printed(row.name, 500) ?? id, state: states[status] ?? ('unknown' as const), status }
}

function accountIn(row: Row): AdAccount | undefined {
  const [id, currency, timeZone] = [word(row.id), text(row.currency), text(row.zone)]
  return id && currency && timeZone
    ? { id, name: printed(row.name, 500) ?? id, currency, timeZone, active: row.active === true }
    : undefined
}

function campaignIn(row: Row): Campaign | undefined {
  const shown = shownIn(row)
  return shown && { ...shown, ...present({ dailyBudget: majorAmount(row.budget) }) }
}

function setIn(row: Row): AdSet | undefined {
  const [shown, campaignId] = [shownIn(row), word(row.campaign)]
  return shown && campaignId ? { ...shown, campaignId } : undefined
}

function adIn(row: Row): Ad | undefined {
  const [shown, campaignId, adSetId] = [shownIn(row), word(row.campaign), word(row.set)]
  return shown && campaignId && adSetId ? { ...shown, campaignId, adSetId, ...present({ url: pageAddress(row.url) }) } : undefined
}

function insightIn(row: Row): Insight | undefined {
  const [day, spend, campaignId, adSetId, adId] = [text(row.day), majorAmount(row.spend), word(row.campaign), word(row.set), word(row.ad)]
  if (!day || !spend || !campaignId || !adSetId || !adId) return undefined
  const count = (name: string) => number(row[name]) ?? 0
  return { day, campaignId, adSetId, adId, spend, impressions: count('shown'), clicks: count('clicks'), purchases: count('bought') }
}

async function written({ id, name, at, person, value, currency, orderId, contents }: PixelEvent) {
  const { email, phone, externalId, ip, userAgent, clickId } = person
  const digests = {
    email: await hashedAs(normalEmail, email),
    phone: await hashedAs(phoneDigits, phone),
    customer: await hashedAs((typed) => typed.trim() || undefined, externalId),
  }
  return { id, name, at, ...present({ ...digests, ip, userAgent, value, currency, order: orderId, click: clickId, contents }) }
}

async function send(context: Context, pixelId: string, events: readonly PixelEvent[], test?: string): Promise<void> {
  const json = { events: await Promise.all(events.map(written)), ...present({ test }) }
  const { taken } = await call(context, `pixels/${pixelId}/events`, { json })
  if (number(taken) === undefined) throw unreadable(label, 'not how many events it took')
}

export default ads({
  slug: 'example',
  label,
  net: [host],
  credentials,
  settings,
  rateWindows: [{ calls: 60, seconds: 60 }],
  events: ['Purchase', 'Lead'],
  customEvents: false,
  browser: { clickId: 'example_click', browserId: '_example' },
  limits: { eventsAtOnce: 100, eventDays: 7, insightDays: 30, rowsAtOnce: 100 },
  async testConnection(context) {
    return { account: word((await call(context, 'me')).name) ?? label }
  },
  async adAccounts(context) {
    return readable(context, (await listOf(context, 'accounts')).rows, accountIn)
  },
  async campaigns(context, listing) {
    const page = await listOf(context, `accounts/${listing.accountId}/campaigns`, queryOf(listing))
    return { ...page, rows: readable(context, page.rows, campaignIn) }
  },
  async adsets(context, listing) {
    const page = await listOf(context, `accounts/${listing.accountId}/sets`, queryOf(listing))
    return { ...page, rows: readable(context, page.rows, setIn) }
  },
  async ads(context, listing) {
    const page = await listOf(context, `accounts/${listing.accountId}/ads`, queryOf(listing))
    return { ...page, rows: readable(context, page.rows, adIn) }
  },
  async insights(context, { accountId, from, to, cursor }) {
    const page = await listOf(context, `accounts/${accountId}/days`, { from, to, page: cursor })
    return { ...page, rows: readable(context, page.rows, insightIn) }
  },
  async pixels(context, accountId) {
    const { rows: found } = await listOf(context, `accounts/${accountId}/pixels`)
    return readable(context, found, (row) => {
      const id = word(row.id)
      return id === undefined ? undefined : { id, name: printed(row.name, 500) ?? id }
    })
  },
  sendEvents: (context, { pixelId, events }) => sendParted(events, 100, (part) => send(context, pixelId, part)),
  testEvent: (context, { pixelId, code, event }) => sendParted([event], 1, (part) => send(context, pixelId, part, code)),
})
