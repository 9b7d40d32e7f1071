import type { Call } from '../../../../support/simulator/simulator.ts'
import type { Books, Json, NoestOptions, Order, Refusal } from './books.ts'
import { communes, desks, fees, wilayas } from './places.ts'
import { type Access, labelAddress, stored } from './storage.ts'

const BULK_MAX = 100
/** Not published; larger ones are refused, so that nobody relies on them. */
const INFOS_MAX = 100

export function answer(books: Books, access: Access, options: NoestOptions, call: Call): Response {
  if (call.path.startsWith('/labels/')) return stored(call)
  const path = call.path.replace('/api/public/', '')
  if (call.headers.get('authorization') !== `Bearer ${access.apiToken}`) return said(401, { message: 'Unauthenticated.' })
  if (call.method === 'GET') return read(books, path, call)
  const body = jsonIn(call.body)
  const guid = body.user_guid === undefined ? 'Le champ user guid est obligatoire.' : 'Le champ user guid sélectionné est invalide.'
  if (body.user_guid !== access.userGuid) return said(422, { message: guid, errors: { user_guid: [guid] } })
  if (path === 'get/trackings/info') return infos(books, options, body)
  if (path === 'create/order') return taken(books.create(body))
  if (path === 'create/orders') return createMany(books, options, body)
  if (path === 'valid/orders') return validateMany(books, body)
  if (path === 'valid/order' && options.validatesNothing) return said(200, { success: true, passed: [], failed: {} })
  const act = acts[path]
  const order = books.get(body.tracking)
  if (!act) return said(404, { message: 'Route introuvable' })
  if (!order) return said(200, { success: false, message: 'Colis introuvable' })
  const refusal = act(books, order, body)
  if (refusal) return refused(refusal)
  return said(200, { success: true, ...(path === 'valid/order' && { passed: { [order.tracking]: true }, failed: [] }) })
}

const acts: Readonly<Record<string, (books: Books, order: Order, body: Json) => Refusal | null>> = {
  'valid/order': (books, order) => books.validate(order),
  'delete/order': (books, order) => books.remove(order),
  'update/order/before/expedition': (books, order, body) => books.edit(order, body),
  'update/order': (books, order, body) => books.request(order, body),
}

const said = (status: number, body: unknown) => Response.json(body, { status })
const refused = ({ status, ...why }: Refusal) => said(status, { success: false, ...why })
const isRefusal = (outcome: Order | Refusal): outcome is Refusal => 'error' in outcome

function jsonIn(body: string): Json {
  try {
    return JSON.parse(body) as Json
  } catch {
    return {}
  }
}

function read(books: Books, path: string, { query, at }: Call): Response {
  const wilaya = /^get\/communes\/(\d+)$/.exec(path)?.[1]
  if (path === 'get/wilayas') return said(200, wilayas)
  if (path === 'get/communes') return said(200, communes)
  if (wilaya)
    return said(
      200,
      communes.filter(({ wilaya_id }) => wilaya_id === Number(wilaya)),
    )
  if (path === 'desks') return said(200, desks)
  if (path === 'fees') return said(200, fees)
  if (path !== 'get/order/label') return said(404, { message: 'Route introuvable' })
  const order = books.get(query.get('tracking'))
  if (!order) return said(404, { success: false, message: 'Colis introuvable' })
  return new Response(null, { status: 302, headers: { location: labelAddress(order.tracking, at) } })
}

const takenRow = ({ tracking, fields }: Order) => ({
  success: true,
  tracking,
  reference: fields.reference,
  regional_hub_name: 'Hub Oran',
  wilaya_rank: 1,
})

const taken = (outcome: Order | Refusal) => (isRefusal(outcome) ? refused(outcome) : said(200, takenRow(outcome)))

/** `poids` is asked for here, though not of a single order. */
function createMany(books: Books, options: NoestOptions, { orders }: Json): Response {
  if (!Array.isArray(orders) || orders.length > BULK_MAX) return said(422, { success: false, message: `Maximum ${BULK_MAX} commandes.` })
  const passed: unknown[] = []
  const failed: unknown[] = []
  for (const row of orders as Json[]) {
    const outcome = row.poids === undefined ? undefined : books.create(row)
    if (!outcome) failed.push({ reference: row.reference, poids: ['Le champ poids est obligatoire.'] })
    else if (isRefusal(outcome)) failed.push({ reference: row.reference, ...(outcome.errors ?? { [outcome.error]: [outcome.message] }) })
    else passed.push(takenRow(outcome))
  }
  const indexed = Object.fromEntries(passed.map((row, index) => [String(index), row]))
  return said(200, { success: passed.length > 0, passed: options.passedAs === 'object' && passed.length > 0 ? indexed : passed, failed })
}

function validateMany(books: Books, { trackings }: Json): Response {
  const asked = Array.isArray(trackings) ? trackings.map(String) : []
  const passed = asked.filter((tracking) => {
    const order = books.get(tracking)
    return order && books.validate(order) === null
  })
  const failed = asked.filter((tracking) => !passed.includes(tracking))
  return said(200, {
    success: failed.length === 0,
    passed: passed.length === 0 ? [] : Object.fromEntries(passed.map((tracking) => [tracking, true])),
    failed,
  })
}

/** Local time in Algeria without a zone. */
const localTime = (at: number) => new Date(at + 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

function infos(books: Books, options: NoestOptions, { trackings }: Json): Response {
  if (Array.isArray(trackings) && trackings.length > INFOS_MAX) return said(422, { message: `Maximum ${INFOS_MAX} colis.` })
  const found = (Array.isArray(trackings) ? trackings : []).flatMap((tracking) => books.get(tracking) ?? [])
  if (found.length === 0) return said(200, { message: 'Trackings not found' })
  return said(200, Object.fromEntries(found.map((order) => [order.tracking, infoOf(order, options)])))
}

function infoOf({ tracking, fields, events }: Order, { thin, newestFirst }: NoestOptions) {
  const activity = events.map(({ key, content, at }) => ({
    event: key.replaceAll('_', ' '),
    event_key: key,
    causer: 'NOEST',
    by: 'Agent ***',
    driver: '',
    fdr: '',
    content,
    date: localTime(at),
  }))
  return {
    OrderInfo: {
      ...(!thin && { tracking, ...fields }),
      montant: `${fields.montant}.00`,
      driver_name: null,
      driver_tel: null,
    },
    recipientName: fields.client,
    shippedBy: 'Boutique',
    originCity: 'Alger',
    destLocationCity: fields.commune ?? fields.station_code,
    activity: newestFirst ? activity.reverse() : activity,
    deliveryAttempts: [],
  }
}
