import { labelPdf } from '../../../../support/simulator/pdf.ts'
import type { Call } from '../../../../support/simulator/simulator.ts'
import { type Books, fault, isDraft, type Json, localTime, type Order, type Refusal, rowOf, statusOf } from './books.ts'
import { communesOf, fees, products, wilayas } from './places.ts'

/** In what the companies of the platform differ, to be set either way. */
export interface Habits {
  /** How the rows of a bulk answer are named; `broken`: it answers 500, as one company did. */
  bulk: 'reference' | 'position' | 'broken'
  /** `{ success, message }`, or the older `{ delete: "success" }`. */
  deletion: 'message' | 'word'
  /** An edit that comes too late is answered as a success and ignored. */
  silentEdits: boolean
  /** The company moved: everything is a redirect to this host. */
  movedTo: string | null
  /** The platform's own answer over quota, which does not say when to come again. */
  throttled: boolean
  /** `valid/order` refuses, with this code or none. */
  refusesValidation: number | 'without a code' | null
  /** `valid/order` does nothing, and says nothing in a 200. */
  mumblesValidation: boolean
  /** `get/tracking/info` and `get/orders/status` take a number that they do not show any more for a wrong one. */
  forgets: boolean
  refusesDeletion: boolean
  /** What `validate/token` says of a right token. */
  token: 'VALID_TOKEN' | 'TOKEN_NOT_ALLOWED'
  hasTokenTest: boolean
  /** What `get/communes` says without a wilaya: all, those of one, that it wants one, or that there is no such thing. */
  communesOfAll: 'listed' | 'of one' | 'refused' | 'absent' | 'broken'
  /** The status of its "Unauthenticated.". */
  unauthenticated: 200 | 401
  /** A page of its panel in place of the PDF. */
  labelsArePages: boolean
}

export const usualHabits: Habits = {
  bulk: 'reference',
  deletion: 'message',
  silentEdits: false,
  movedTo: null,
  throttled: false,
  refusesValidation: null,
  mumblesValidation: false,
  forgets: false,
  refusesDeletion: false,
  token: 'VALID_TOKEN',
  hasTokenTest: true,
  communesOfAll: 'refused',
  unauthenticated: 401,
  labelsArePages: false,
}

export interface Side {
  readonly books: Books
  readonly habits: Habits
  readonly token: string
  readonly now: () => number
}

const PAGE = 40
const BULK_MAX = 100
const DAYS_KEPT = 90
const ARCHIVED = new Set(['paye_et_archive', 'retour_archive'])
/** Activities have words of their own for some states; the others come as they are. */
const ACTIVITIES: Readonly<Record<string, string>> = {
  prete_a_expedier: 'order_information_received_by_carrier',
  en_livraison: 'dispatched_to_driver',
  livre_non_encaisse: 'livred',
  encaisse_non_paye: 'encaissed',
  paye_et_archive: 'payed',
}

const json = (value: unknown, status = 200) => Response.json(value, { status })
const refusal = (error: number | undefined, message: string) => json({ success: false, ...(error !== undefined && { error }), message })
const invalid = (errors: Readonly<Record<string, readonly string[]>>) => json({ message: 'The given data was invalid.', errors }, 422)
const unauthenticated = ({ habits }: Side) => json({ message: 'Unauthenticated.' }, habits.unauthenticated)
const locked = () => refusal(10001, 'Cette commande ne peut plus être modifiée')
const unknown = () => invalid({ tracking: ['The selected tracking is invalid.'] })

type Route = (side: Side, call: Call, given: Json) => Response

const routes: Readonly<Record<string, Route>> = {
  'GET get/wilayas': () => json(wilayas),
  'GET get/communes': ({ habits }, { query }) => {
    const asked = query.get('wilaya_id')
    if (asked === null && habits.communesOfAll === 'refused') return invalid({ wilaya_id: ['The wilaya id field is required.'] })
    if (asked === null && habits.communesOfAll === 'absent') return json({ message: 'Not Found' }, 404)
    if (asked === null && habits.communesOfAll === 'broken') return json({ message: 'Server Error' }, 500)
    const all = habits.communesOfAll === 'listed' ? wilayas.map(({ wilaya_id }) => wilaya_id) : [1]
    const found = (asked === null ? all : [Number(asked)]).flatMap(communesOf)
    // Keyed by position, as the platform does.
    return json(Object.fromEntries(found.entries()))
  },
  'GET get/fees': () => json(fees),
  'GET get/desks': () =>
    json({ my_desk: { hub_id: 1, hub_name: 'Hub Alger', location: 'Alger', working_hours: '8h-17h' }, other_desks: [] }),
  'GET get/products/list': (_, { query }) => {
    const page = Number(query.get('page') ?? 1)
    return json({ products: products.slice((page - 1) * 15, page * 15), pagination: { per_page: 15, total: products.length } })
  },
  'POST create/order': ({ books }, _, given) => {
    const made = books.create(given)
    if ('tracking' in made) return json({ success: true, tracking: made.tracking })
    return 'errors' in made ? invalid(made.errors) : refusal(made.code, made.message)
  },
  'POST create/orders': createMany,
  'POST update/order': update,
  'DELETE delete/order': remove,
  'POST valid/order': validate,
  'GET get/order/label': ({ books, habits }, { query }) => {
    const order = books.get(query.get('tracking') ?? '')
    if (habits.labelsArePages) return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    return order ? labelPdf(order.tracking) : unknown()
  },
  'GET get/tracking/info': ({ books, habits }, { query }) => {
    const order = habits.forgets ? undefined : books.get(query.get('tracking') ?? '')
    return order
      ? json({ recipientName: order.fields.nom_client, shippedBy: 'Boutique', activity: activitiesOf(order), reasons: [] })
      : unknown()
  },
  'GET get/orders/status': statuses,
  'GET get/orders': list,
}

export function answer(side: Side, call: Call): Response {
  const { habits, token } = side
  if (habits.movedTo !== null)
    return new Response('Moved', { status: 301, headers: { location: `https://${habits.movedTo}${call.path}?${call.query}` } })
  const path = call.path.replace(/^\/api\/v1\//, '')
  if (habits.throttled) return json({ message: 'Too Many Attempts.' }, 429)
  if (path === 'validate/token' && habits.hasTokenTest) return tokenTest(side, call)
  if (call.headers.get('authorization') !== `Bearer ${token}`) return unauthenticated(side)
  // This one wants the token in its query as well.
  if (path === 'get/orders/status' && call.query.get('api_token') !== token) return unauthenticated(side)
  const route = routes[`${call.method} ${path}`]
  return route ? route(side, call, givenIn(call)) : json({ message: 'Not Found' }, 404)
}

function tokenTest({ habits, token }: Side, { query }: Call): Response {
  if (query.get('api_token') !== token) return json({ success: false, message: 'INVALID_TOKEN' })
  return json({ success: habits.token === 'VALID_TOKEN', message: habits.token })
}

/** Fields come in the query or as JSON. */
function givenIn({ query, body }: Call): Json {
  const parsed: unknown = body === '' ? {} : JSON.parse(body)
  return { ...Object.fromEntries(query), ...(parsed as Json) }
}

function createMany({ books, habits }: Side, _: Call, { orders }: Json): Response {
  if (habits.bulk === 'broken') return json({ message: 'Server Error' }, 500)
  const rows = Object.entries((orders ?? {}) as Readonly<Record<string, Json>>)
  if (rows.length === 0 || rows.length > BULK_MAX) return invalid({ orders: ['Entre 1 et 100 commandes.'] })
  const results = rows.map(([position, fields]) => {
    const made = books.create(fields)
    const key = habits.bulk === 'reference' ? String(fields.reference) : position
    return [key, 'tracking' in made ? { success: true, tracking: made.tracking } : errorsOf(made)] as const
  })
  return json({ results: Object.fromEntries(results) })
}

const errorsOf = (made: Refusal) => ('errors' in made ? made.errors : { code_wilaya: [made.message] })

const createNames: Readonly<Record<string, string>> = {
  client: 'nom_client',
  tel: 'telephone',
  tel2: 'telephone_2',
  wilaya: 'code_wilaya',
  product: 'produit',
}
const editable = new Set([
  'adresse',
  'code_postal',
  'commune',
  'montant',
  'remarque',
  'boutique',
  'type',
  'stop_desk',
  'fragile',
  'gps_link',
  'reference',
])
/** All of these, each time, whatever changes. */
const neededForEdit = ['type', 'wilaya', 'commune', 'adresse', 'montant', 'tel']

function update({ books, habits }: Side, { query }: Call, given: Json): Response {
  const order = books.get(query.get('tracking') ?? '')
  if (!order) return unknown()
  const missing = neededForEdit.filter((name) => given[name] === undefined)
  if (missing.length > 0) return invalid(Object.fromEntries(missing.map((name) => [name, [`Le champ ${name} est obligatoire.`]])))
  if (!isDraft(order)) return habits.silentEdits ? json({ success: true, message: 'OK' }) : locked()
  const named = Object.entries(given).map(([name, value]) => [createNames[name] ?? (editable.has(name) ? name : ''), value] as const)
  const change = Object.fromEntries(named.filter(([name]) => name !== ''))
  const fields = { ...order.fields, ...change, montant: String(Number(change.montant ?? order.fields.montant)) }
  const wrong = fault(fields)
  if (wrong) return 'errors' in wrong ? invalid(wrong.errors) : refusal(wrong.code, wrong.message)
  order.fields = fields
  return json({ success: true, message: 'Commande modifiée' })
}

function remove({ books, habits }: Side, { query }: Call): Response {
  const order = books.get(query.get('tracking') ?? '')
  const gone = order !== undefined && isDraft(order) && !habits.refusesDeletion && books.remove(order.tracking)
  if (habits.deletion === 'word') return json({ delete: gone ? 'success' : 'fail' })
  if (!order) return unknown()
  if (!isDraft(order)) return locked()
  return gone ? json({ success: true, message: 'Commande supprimée' }) : refusal(undefined, 'Suppression impossible')
}

function validate({ books, habits }: Side, { query }: Call): Response {
  const order = books.get(query.get('tracking') ?? '')
  if (!order) return unknown()
  if (habits.refusesValidation !== null) {
    const code = habits.refusesValidation
    return refusal(code === 'without a code' ? undefined : code, 'Validation impossible')
  }
  if (habits.mumblesValidation) return json({})
  if (order.isValidated) return locked()
  order.isValidated = true
  order.isCollectionAsked = query.get('ask_collection') === '1'
  return json({ success: true, message: 'Commande validée' })
}

function activitiesOf({ history }: Order): Json[] {
  return history.map(({ status, at }) => {
    const [date, time] = localTime(at).split(' ')
    return { date, time, status: ACTIVITIES[status] ?? status, station: 'Hub Alger', scanLocation: '' }
  })
}

/** Notes alone have a place here, so a change of state leaves no time behind. */
function notesOf({ history }: Order): Json[] {
  return history
    .filter(({ reason }) => reason !== '')
    .map(({ reason, at }) => {
      const [date, time] = localTime(at).split(' ')
      return { reason, details: '', station: 'Hub Alger', driver: 'Ali', date, time, postponed_to: null }
    })
}

function statuses({ books, habits }: Side, { query }: Call): Response {
  const trackings = (query.get('trackings') ?? '').split(',').filter(Boolean)
  if (trackings.length === 0 || trackings.length > 100) return invalid({ trackings: ['Entre 1 et 100.'] })
  const found = trackings.flatMap((tracking) => books.get(tracking) ?? [])
  if (habits.forgets && found.length < trackings.length) return unknown()
  const told = (order: Order) => ({
    status: statusOf(order).status,
    order_id: 1,
    desk_phone: null,
    driver_phone: null,
    activity: notesOf(order),
  })
  // An empty object of PHP is a list.
  return json({ data: found.length === 0 ? [] : Object.fromEntries(found.map((order) => [order.tracking, told(order)])) })
}

function list({ books, now }: Side, { query }: Call): Response {
  const [tracking, from, to] = [query.get('tracking'), query.get('start_date'), query.get('end_date')]
  const oldest = now() - DAYS_KEPT * 86_400_000
  const kept = books.all().filter((order) => {
    const day = localTime(order.createdAt).slice(0, 10)
    if (tracking !== null && order.tracking !== tracking) return false
    if (ARCHIVED.has(statusOf(order).status) || order.createdAt < oldest) return false
    return (from === null || day >= from) && (to === null || day <= to)
  })
  const page = Math.max(1, Number(query.get('page') ?? 1))
  const last = Math.max(1, Math.ceil(kept.length / PAGE))
  return json({
    current_page: page,
    data: kept.slice((page - 1) * PAGE, page * PAGE).map(rowOf),
    per_page: PAGE,
    last_page: last,
    total: kept.length,
    next_page_url: page < last ? `https://demo.ecotrack.dz/api/v1/get/orders?page=${page + 1}` : null,
  })
}
