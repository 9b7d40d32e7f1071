import type { Call } from '../../../../support/simulator/simulator.ts'
import { matching, notFound, nothing, paged, problem } from './answers.ts'
import { type Fault, faultsOf, isRow, type Json, type Parcel, shown } from './parcels.ts'
import { hubs, rates, territories } from './places.ts'
import type { World } from './world.ts'

const servicePrices = {
  labelingPrice: 10,
  weightingPrice: 0,
  swapSameCityPrice: 300,
  swapDifferentCityPrice: '450.50',
  phoneChangePrice: 50,
}

/** The interface, but for faults: routes by `METHOD path`, the parts of a path by `:name`. */
type Answer = (world: World, body: Json, params: readonly string[], call: Call) => Response

const routes: readonly (readonly [method: string, path: string, answer: Answer])[] = [
  ['GET', 'users/profile', () => Response.json({ id: 'u1', email: 'shop@example.dz' })],
  ['POST', 'territories/search', (_, body) => paged(matching(territories, body), body)],
  ['POST', 'hubs/search', (_, body) => paged(matching(hubs, body), body)],
  ['POST', 'workflows/search', ({ workflow }, body) => paged([{ id: workflow.id, name: 'Default', states: workflow.states }], body)],
  ['POST', 'customers/individual', createCustomer],
  ['POST', 'parcels', create],
  ['POST', 'parcels/bulk', createMany],
  ['POST', 'parcels/search', searchParcels],
  ['POST', 'parcels/labels/individual/pdf', labels],
  ['POST', 'parcels/labels/multiple/pdf', sheet],
  ['GET', 'parcels/:id', ({ books }, _, [id]) => shownOr404(books.get(id!))],
  // By the id alone: a tracking number finds nothing.
  ['GET', 'parcels/:id/state-history', ({ books }, _, [id]) => listOr404(books.all().find((parcel) => parcel.id === id)?.history)],
  ['PATCH', 'parcels/:id/state', changeState],
  ['PATCH', 'parcels/:id/amount', (world, { amount }, [id]) => change(world, id!, (fields) => ({ ...fields, amount }))],
  [
    'PATCH',
    'parcels/:id/customer',
    (world, body, [id]) => change(world, id!, (fields) => ({ ...fields, customer: customerOf(fields, body) })),
  ],
  ['PATCH', 'parcels/:id/deliveryAddress', (world, body, [id]) => change(world, id!, (fields) => moved(fields, body))],
  ['DELETE', 'parcels/:id', remove],
  ['POST', 'parcel-modification-requests', requestChange],
  ['POST', 'parcel-modification-requests/phone', requestChange],
  ['GET', 'delivery-pricing/rates', (_, _body, _params, { query }) => ratesFrom(query.get('fromTerritoryId') ?? '')],
  ['GET', 'service-pricing', () => Response.json(servicePrices)],
  ['POST', 'products/search', ({ products }, body) => paged(products, body)],
  ['GET', 'webhooks/endpoints', ({ webhooks }) => Response.json(webhooks.endpoints())],
  ['POST', 'webhooks/endpoints', subscribe],
  ['DELETE', 'webhooks/endpoints/:id', ({ webhooks }, _, [id]) => (webhooks.unsubscribe(id!) ? nothing() : notFound())],
  ['GET', 'webhooks/endpoints/:id/secret', secretOf],
  ['POST', 'treasury-transactions/search', ({ money, quirks }, body) => paged(money.entries(quirks.marksPaid), body)],
  ['GET', 'treasury-transactions/by-supplier-payment/:id', ({ money }, _, [id]) => Response.json(money.linesOf(id!))],
  ['POST', 'supplier-payment/search', ({ money }, body) => paged(money.all().map(money.shown), body)],
  ['GET', 'supplier-payment/:id/details', ({ money }, _, [id]) => rowOr404(money.shown(id!))],
  ['PUT', 'supplier-payment/:id', ({ money }, _, [id]) => (money.accept(id!) ? nothing() : notFound())],
]

export function answer(world: World, call: Call): Response {
  if (call.path.startsWith('/files/')) return world.file(call)
  const { apiKey, tenant } = world.credentials
  if (call.headers.get('x-api-key') !== apiKey || call.headers.get('x-tenant') !== tenant)
    return problem(401, 'Unauthorized', 'Authentication failed')
  const parts = call.path
    .replace(/^\/api\/v1(\.0)?\//, '')
    .split('/')
    .map(decodeURIComponent)
  const fitting = routes.filter(([, path]) => paramsIn(path, parts) !== undefined)
  const route = fitting.find(([method]) => method === call.method)
  if (!route) return fitting.length > 0 ? problem(405, 'MethodNotAllowed', 'The method is not allowed') : new Response('', { status: 404 })
  const body: unknown = call.body === '' ? {} : JSON.parse(call.body)
  return route[2](world, isRow(body) ? body : {}, paramsIn(route[1], parts)!, call)
}

function paramsIn(path: string, parts: readonly string[]): string[] | undefined {
  const names = path.split('/')
  if (names.length !== parts.length || !names.every((name, at) => name.startsWith(':') || name === parts[at])) return undefined
  return parts.filter((_, at) => names[at]!.startsWith(':'))
}

const rowOr404 = (row: Json | undefined) => (row ? Response.json(row) : notFound())
const listOr404 = (list: readonly unknown[] | undefined) => (list ? Response.json(list) : notFound())
const shownOr404 = (parcel: Parcel | undefined) => rowOr404(parcel && shown(parcel))

function refused(faults: readonly Fault[]): Response {
  const missing = faults.find(({ status }) => status === 404)
  if (missing) return problem(404, missing.code, missing.message)
  const errors = Object.fromEntries(faults.map(({ field, message }) => [field, [message]]))
  return problem(400, faults[0]!.code, 'One or more validation errors occurred', errors)
}

function createCustomer(world: World, body: Json): Response {
  if (typeof body.name !== 'string' || !isRow(body.phone)) return problem(400, 'Validation', 'Invalid', { name: ['required'] })
  const id = crypto.randomUUID()
  world.customers.push({ id, ...body })
  return Response.json({ id }, { status: 201 })
}

/** The answer holds nothing but the id. */
function create({ books, workflow, quirks }: World, body: Json): Response {
  const faults = faultsOf(body, workflow)
  return faults.length > 0 ? refused(faults) : Response.json({ id: books.add(body, quirks.ignoresStateId).id }, { status: 201 })
}

/** 207 with what was taken and every reason why the rest was not, by place. */
function createMany({ books, workflow, quirks }: World, body: Json): Response {
  const parcels = (body.parcels ?? []) as Json[]
  if (parcels.length === 0 || parcels.length > 100) return problem(400, 'Validation', 'Invalid', { parcels: ['1 to 100'] })
  const outcomes = parcels.map((fields, index) => ({ index, fields, faults: faultsOf(fields, workflow) }))
  const failures = outcomes.flatMap(({ index, fields, faults }) =>
    faults.map(({ code, message }) => ({ index, errorCode: code, errorMessage: message, externalId: fields.externalId })),
  )
  const successes = outcomes
    .filter(({ faults }) => faults.length === 0)
    .map(({ index, fields }) => {
      const { id: parcelId, trackingNumber } = books.add(fields, quirks.ignoresStateId)
      return { index, parcelId, trackingNumber, externalId: fields.externalId }
    })
  const counts = { totalRequested: parcels.length, successCount: successes.length, failureCount: parcels.length - successes.length }
  return Response.json({ ...counts, successes, failures }, { status: 207 })
}

function searchParcels({ books, quirks }: World, body: Json): Response {
  const rows = books.all().map(shown)
  if (quirks.search === 'ignored') return paged(rows, body)
  const filter = body.advancedFilter
  if (isRow(filter) && quirks.filters === 'refused') return problem(400, 'Validation', 'Invalid', { operator: ['unknown'] })
  const wanted =
    isRow(filter) && quirks.filters === 'understood' ? new Set((filter.filters as Json[]).map(({ value }) => value)) : undefined
  return paged(wanted ? rows.filter(({ trackingNumber }) => wanted.has(trackingNumber)) : matching(rows, body), body)
}

function changeState({ books, workflow }: World, { parcelId, newStateId }: Json, [id]: readonly string[]): Response {
  const parcel = books.all().find((one) => one.id === id && one.id === parcelId)
  const state = workflow.byId(newStateId)
  if (!parcel || !state) return notFound()
  books.toState(parcel, state)
  return nothing()
}

const customerOf = (fields: Json, { name, phone }: Json) => ({ ...(fields.customer as Json), name, phone })

const moved = (fields: Json, { cityTerritoryId, districtTerritoryId, street, hubId }: Json) => ({
  ...fields,
  deliveryAddress: { cityTerritoryId, districtTerritoryId, street },
  ...(hubId !== undefined && { hubId }),
})

/** By the id alone, and only until the state is a locked one. */
function change({ books, workflow }: World, id: string, to: (fields: Json) => Json): Response {
  const parcel = books.all().find((one) => one.id === id)
  if (!parcel) return notFound()
  if (parcel.history.at(-1)!.newState.isLocked) return locked()
  const fields = to(parcel.fields)
  const faults = faultsOf(fields, workflow)
  if (faults.length > 0) return refused(faults)
  parcel.fields = fields
  return nothing()
}

const locked = () => problem(409, 'ParcelErrors.ParcelLocked', 'The parcel is locked')

function requestChange(world: World, body: Json): Response {
  world.modificationRequests.push(body)
  return Response.json({ id: crypto.randomUUID() }, { status: 201 })
}

function remove({ books }: World, _: Json, [id]: readonly string[]): Response {
  const parcel = books.all().find((one) => one.id === id)
  if (!parcel) return notFound()
  if (parcel.history.at(-1)!.newState.isLocked) return locked()
  books.remove(parcel.id)
  return nothing()
}

function labels(world: World, { trackingNumbers = [], format }: Json): Response {
  if (format !== 'a4' && format !== 'a6') return problem(400, 'Validation', 'Invalid', { format: ['a4 or a6'] })
  const [known, unknown] = [[] as string[], [] as string[]]
  for (const tracking of trackingNumbers as string[]) (world.books.get(tracking) ? known : unknown).push(tracking)
  return Response.json({
    parcelLabelFiles: known.map((trackingNumber) => ({ trackingNumber, fileUrl: world.fileUrl(trackingNumber) })),
    failedTrackingNumbers: unknown,
  })
}

/** One file with all that are known. */
function sheet(world: World, { trackingNumbers = [], format }: Json): Response {
  if (format !== 'a4' && format !== 'a6') return problem(400, 'Validation', 'Invalid', { format: ['a4 or a6'] })
  if (!world.quirks.bindsLabels) return notFound()
  const unknown = (trackingNumbers as string[]).filter((tracking) => !world.books.get(tracking))
  return Response.json({ fileUrl: world.fileUrl('labels'), failedTrackingNumbers: unknown })
}

function ratesFrom(fromTerritoryId: string): Response {
  const found = rates(fromTerritoryId)
  return found ? Response.json({ rates: found, appliedDiscounts: [] }) : notFound()
}

function subscribe({ webhooks }: World, { url, description, eventTypes }: Json): Response {
  if (typeof url !== 'string' || !url.startsWith('https://')) return problem(400, 'Validation', 'Invalid', { url: ['https'] })
  if (!Array.isArray(eventTypes) || eventTypes.length === 0) return problem(400, 'Validation', 'Invalid', { eventTypes: ['required'] })
  const made = webhooks.subscribe({ url, description: String(description), eventTypes })
  return made ? Response.json({ id: made.id }, { status: 201 }) : problem(400, 'Endpoints.LimitReached', 'At most 5 endpoints')
}

function secretOf({ webhooks }: World, _: Json, [id]: readonly string[]): Response {
  const secret = webhooks.secretOf(id!)
  return secret ? Response.json({ secret }) : notFound()
}
