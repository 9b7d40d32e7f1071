import { communes, hubs, rates, wilayas } from './places.ts'
import { back, ended, FIRST, READY, type State, type Workflow } from './workflow.ts'

export type Json = Record<string, unknown>

export interface Situation {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly metadata: Json
  readonly createdAt: string
}

export interface Entry {
  readonly id: string
  readonly createdAt: string
  readonly newState: State
  readonly modifiedBy: string
  readonly situations: Situation[]
}

/** A parcel in the carrier's books. */
export interface Parcel {
  readonly id: string
  readonly trackingNumber: string
  fields: Json
  history: Entry[]
  isReturn: boolean
  deliveredAt: string | null
  markedAsReturnAt: string | null
  returnedAt: string | null
  paymentId: string | null
}

export interface Fault {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly status?: 404
}

export const isRow = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const rowIn = (value: unknown): Json => (isRow(value) ? value : {})
const textIn = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

const sizeMax = 1000

/** Everything that the carrier minds about a parcel, in its own words: one parcel may have several. */
export function faultsOf(fields: Json, workflow: Workflow): Fault[] {
  const faults: Fault[] = []
  const unless = (holds: boolean, field: string, message: string, code = `Parcel.Invalid${field}`) =>
    void (holds || faults.push({ field, code, message }))
  const [customer, address] = [rowIn(fields.customer), rowIn(fields.deliveryAddress)]
  const { number1, number2 } = rowIn(customer.phone)
  const description = textIn(fields.description)
  unless(/^[0-9a-f-]{36}$/.test(textIn(customer.customerId)), 'CustomerId', 'The customer id must be a UUID')
  unless(textIn(customer.name) !== '', 'Name', 'The name is required')
  for (const phone of [number1, number2 ?? number1])
    unless(/^\+213\d{8,9}$/.test(textIn(phone)), 'Phone', 'The phone must look like +213550000000')
  unless(
    typeof fields.amount === 'number' && fields.amount >= 0 && fields.amount <= 150_000,
    'Amount',
    'The amount must be between 0 and 150000',
  )
  unless(description.length >= 2 && description.length <= 250, 'Description', 'The description must have 2 to 250 characters')
  const wilaya = wilayas.find(({ id }) => id === address.cityTerritoryId)
  const commune = communes.find(({ id, parentId }) => id === address.districtTerritoryId && parentId === wilaya?.id)
  unless(
    wilaya !== undefined && commune !== undefined && textIn(address.street) !== '',
    'Address',
    'The address is not known',
    'TerritoryErrors.TerritoryNotFound',
  )
  for (const product of (fields.orderedProducts as Json[] | undefined) ?? [])
    for (const side of ['length', 'width', 'height'])
      unless(Number(product[side]) <= sizeMax, side, `The ${side} must not exceed ${sizeMax}`, 'Product.InvalidSize')
  unless(
    fields.stateId === undefined || workflow.byId(fields.stateId) !== undefined,
    'StateId',
    'The state is not in the workflow',
    'StateErrors.StateNotFound',
  )
  unless(fields.deliveryType === 'home' || fields.deliveryType === 'pickup-point', 'DeliveryType', 'home or pickup-point')
  if (fields.deliveryType === 'pickup-point') {
    unless(textIn(fields.hubId) !== '', 'HubId', 'The hub is required for a pickup point')
    if (textIn(fields.hubId) !== '' && !hubs.some(({ id }) => id === fields.hubId))
      faults.push({ field: 'HubId', code: 'HubErrors.HubNotFound', message: 'The hub was not found', status: 404 })
  }
  return faults
}

export function createBooks(workflow: Workflow, now: () => number) {
  const byId = new Map<string, Parcel>()
  const tag = crypto.randomUUID().slice(0, 3).toUpperCase()
  const iso = (at?: string) => at ?? new Date(now()).toISOString()
  let created = 0

  const get = (idOrTracking: string) =>
    byId.get(idOrTracking) ?? [...byId.values()].find(({ trackingNumber }) => trackingNumber === idOrTracking)

  const move = (parcel: Parcel, newState: State, at: string) => {
    parcel.history.push({ id: crypto.randomUUID(), createdAt: at, newState, modifiedBy: 'hub', situations: [] })
    parcel.history.sort((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
  }

  const must = (tracking: string): Parcel => {
    const parcel = get(tracking)
    if (!parcel) throw new Error(`The simulator has no parcel ${tracking}.`)
    return parcel
  }

  return {
    all: () => [...byId.values()],
    get,
    must,
    /** Without `stateId` it lies in the first state, where no hub looks. */
    add(fields: Json, ignoresState: boolean): Parcel {
      const parcel: Parcel = {
        id: crypto.randomUUID(),
        trackingNumber: `16-${tag}${(++created).toString(36).toUpperCase().padStart(4, '0')}-ZR`,
        fields,
        history: [],
        isReturn: false,
        deliveredAt: null,
        markedAsReturnAt: null,
        returnedAt: null,
        paymentId: null,
      }
      move(parcel, (ignoresState ? undefined : workflow.byId(fields.stateId)) ?? workflow.called(FIRST), iso())
      byId.set(parcel.id, parcel)
      return parcel
    },
    remove: (id: string) => byId.delete(id),
    toState: (parcel: Parcel, state: State) => move(parcel, state, iso()),

    /** Moves a parcel to a state of the workflow, or to one of no workflow. */
    advance(tracking: string, name: string, at?: string): Parcel {
      const parcel = must(tracking)
      move(parcel, workflow.called(name), iso(at))
      if (ended.has(name)) parcel.deliveredAt ??= iso(at)
      if (back.has(name)) parcel.returnedAt ??= iso(at)
      return parcel
    },
    /** A failed attempt or a postponement: a situation within the state. */
    situate(tracking: string, slug: string, at?: string): Parcel {
      const parcel = must(tracking)
      const name = slug.replaceAll('_', ' ')
      const situation = { id: crypto.randomUUID(), name, slug, description: `${name}, rappeler demain`, metadata: {}, createdAt: iso(at) }
      parcel.history.at(-1)!.situations.push(situation)
      return parcel
    },
    /** The parcel comes back; its state need not change. */
    turn(tracking: string, at?: string): Parcel {
      const parcel = must(tracking)
      parcel.isReturn = true
      parcel.markedAsReturnAt = iso(at)
      return parcel
    },
    /** The hubs come by: they take what is ready, and nothing else. */
    collect(): string[] {
      const ready = workflow.called(READY).id
      const taken = [...byId.values()].filter((parcel) => parcel.history.at(-1)!.newState.id === ready)
      for (const parcel of taken) move(parcel, workflow.called('confirme_au_bureau'), iso())
      return taken.map(({ trackingNumber }) => trackingNumber)
    },
  }
}

export type Books = ReturnType<typeof createBooks>

/** As the carrier shows it. The price of a return is text; of times it tells the ends only. */
export function shown(parcel: Parcel): Json {
  const { fields, history } = parcel
  const { newState, situations } = history.at(-1)!
  const { createdAt: _, ...situation } = situations.at(-1) ?? { createdAt: '' }
  const { isLocked: _l, ...state } = newState
  const address = rowIn(fields.deliveryAddress)
  return {
    ...fields,
    id: parcel.id,
    trackingNumber: parcel.trackingNumber,
    deliveryAddress: {
      ...address,
      city: wilayas.find(({ id }) => id === address.cityTerritoryId)?.name,
      district: communes.find(({ id }) => id === address.districtTerritoryId)?.name,
    },
    deliveryPrice: deliveryPriceOf(parcel),
    returnPrice: '200.00',
    state,
    situation: situations.length > 0 ? situation : null,
    isReturn: parcel.isReturn,
    deliveredAt: parcel.deliveredAt,
    markedAsReturnAt: parcel.markedAsReturnAt,
    returnedAt: parcel.returnedAt,
    isExchanged: false,
  }
}

export function deliveryPriceOf({ fields }: Parcel): number {
  const { cityTerritoryId } = rowIn(fields.deliveryAddress)
  const row = rates(wilayas.find(({ code }) => code === '16')!.id)?.find(({ toTerritoryId }) => toTerritoryId === cityTerritoryId)
  return row?.deliveryPrices.find(({ deliveryType }) => deliveryType === fields.deliveryType)?.price ?? 0
}
