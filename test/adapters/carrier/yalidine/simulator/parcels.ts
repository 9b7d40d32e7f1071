import { centers, communes, fees, wilayas } from './places.ts'

export type Json = Record<string, unknown>

export interface Step {
  readonly status: string
  readonly reason: string
  readonly at: number
}

/** A parcel in the carrier's own books: nothing masked, times as numbers. */
export interface Parcel {
  readonly tracking: string
  readonly importId: number
  readonly createdAt: number
  fields: Json
  history: Step[]
  paymentStatus: string
  paymentId: string | null
}

const draft = 'En préparation'
const maxAmount = 150_000
const required = [
  'order_id',
  'from_wilaya_name',
  'firstname',
  'familyname',
  'contact_phone',
  'address',
  'to_wilaya_name',
  'to_commune_name',
  'product_list',
]
const flags = ['do_insurance', 'freeshipping', 'is_stopdesk', 'has_exchange']
const editable = new Set([
  ...required.slice(1),
  ...flags,
  'price',
  'declared_value',
  'length',
  'width',
  'height',
  'weight',
  'stopdesk_id',
  'economic',
  'product_to_collect',
])

export const statusOf = (parcel: Parcel) => parcel.history.at(-1)!
export const isDraft = (parcel: Parcel) => statusOf(parcel).status === draft

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
const whole = (value: unknown, most: number) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most

/** Why the carrier does not take it, in its own words; null where it does. */
function fault(row: Json): string | null {
  const missing = required.find((name) => text(row[name]) === '') ?? flags.find((name) => typeof row[name] !== 'boolean')
  if (missing) return `Le champ ${missing} est obligatoire`
  if (
    !text(row.contact_phone)
      .split(',')
      .every((phone) => /^0\d{8,9}$/.test(phone))
  )
    return 'Le numéro de téléphone est invalide'
  if (!whole(row.price, maxAmount) || !whole(row.declared_value, maxAmount)) return 'Le prix doit être entre 0 et 150000'
  if (!['length', 'width', 'height', 'weight'].every((name) => whole(row[name], 1000))) return 'Dimensions invalides'
  if (!wilayas.some(({ name }) => name === row.from_wilaya_name)) return 'Wilaya de départ inconnue'
  const wilaya = wilayas.find(({ name }) => name === row.to_wilaya_name)
  if (!wilaya?.is_deliverable) return 'Wilaya de destination inconnue'
  const commune = communes.find(({ name, wilaya_id }) => wilaya_id === wilaya.id && name === row.to_commune_name)
  if (!commune?.is_deliverable) return 'Commune de destination inconnue'
  if (row.has_exchange && text(row.product_to_collect) === '') return 'Le champ product_to_collect est obligatoire'
  if (!row.is_stopdesk) return null
  return centers.some(({ center_id, wilaya_id }) => center_id === row.stopdesk_id && wilaya_id === wilaya.id) ? null : 'Stopdesk inconnu'
}

export function createBooks(now: () => number) {
  const byTracking = new Map<string, Parcel>()
  const byOrder = new Map<string, Parcel[]>()
  const tag = crypto.randomUUID().slice(0, 4).toUpperCase()
  let created = 0
  let imports = 0

  const add = (fields: Json, importId: number): Parcel => {
    const tracking = `yal-${tag}${(++created).toString(36).toUpperCase().padStart(5, '0')}`
    const parcel: Parcel = {
      tracking,
      importId,
      createdAt: now(),
      fields,
      history: [{ status: draft, reason: '', at: now() }],
      paymentStatus: 'not-ready',
      paymentId: null,
    }
    byTracking.set(tracking, parcel)
    const reference = String(fields.order_id)
    byOrder.set(reference, [...(byOrder.get(reference) ?? []), parcel])
    return parcel
  }

  const taken = (parcel: Parcel) => ({
    success: true,
    order_id: parcel.fields.order_id,
    tracking: parcel.tracking,
    import_id: parcel.importId,
    label: labelOf(parcel),
    labels: `https://yalidine.app/app/bordereaux/${parcel.importId}`,
    message: '',
  })

  return {
    all: () => [...byTracking.values()],
    get: (tracking: string) => byTracking.get(tracking),
    ofOrder: (reference: string) => byOrder.get(reference) ?? [],

    /** Whether an `order_id` posted again makes a second parcel is not documented; here it does. */
    create(rows: readonly Json[]): Json {
      const importId = ++imports
      return Object.fromEntries(
        rows.map((row) => {
          const message = fault(row)
          const answer = message === null ? taken(add(row, importId)) : { success: false, order_id: row.order_id, tracking: '', message }
          return [String(row.order_id), answer]
        }),
      )
    },

    edit(parcel: Parcel, change: Json): string | null {
      if (!isDraft(parcel)) return 'Ce colis ne peut plus être modifié'
      if (change.to_wilaya_name !== undefined && change.to_commune_name === undefined) return 'Le champ to_commune_name est obligatoire'
      const known = Object.fromEntries(Object.entries(change).filter(([name]) => editable.has(name)))
      const fields = { ...parcel.fields, ...known }
      const message = fault(fields)
      if (message === null) parcel.fields = fields
      return message
    },

    remove(tracking: string): boolean {
      const parcel = byTracking.get(tracking)
      if (!parcel || !isDraft(parcel)) return false
      byTracking.delete(tracking)
      const reference = String(parcel.fields.order_id)
      byOrder.set(
        reference,
        (byOrder.get(reference) ?? []).filter((other) => other !== parcel),
      )
      return true
    },

    clear() {
      byTracking.clear()
      byOrder.clear()
    },
  }
}

export type Books = ReturnType<typeof createBooks>

/** On the company's own pages, beside its interface. */
export const LABELS = '/app/bordereau/'
export const labelOf = ({ tracking }: Parcel) => `https://yalidine.app${LABELS}${tracking}`

/** Local time in Algeria, without a zone, as the carrier writes it. */
export const localTime = (at: number) => new Date(at + 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

const masked = (value: unknown) => `${String(value ?? '').slice(0, 1)}*****`

/** As the carrier shows it: personal data masked. */
export function shown(parcel: Parcel): Json {
  const { fields } = parcel
  const to = wilayas.find(({ name }) => name === fields.to_wilaya_name)
  const from = wilayas.find(({ name }) => name === fields.from_wilaya_name)
  const commune = communes.find(({ name, wilaya_id }) => wilaya_id === to?.id && name === fields.to_commune_name)
  const latest = statusOf(parcel)
  return {
    ...fields,
    tracking: parcel.tracking,
    firstname: masked(fields.firstname),
    familyname: masked(fields.familyname),
    contact_phone: masked(fields.contact_phone),
    address: masked(fields.address),
    stopdesk_id: fields.stopdesk_id ?? null,
    stopdesk_name: centers.find(({ center_id }) => center_id === fields.stopdesk_id)?.name ?? null,
    from_wilaya_id: from?.id,
    to_wilaya_id: to?.id,
    to_commune_id: commune?.id,
    delivery_fee: feeOf(parcel),
    import_id: parcel.importId,
    date_creation: localTime(parcel.createdAt),
    date_expedition: null,
    date_last_status: localTime(latest.at),
    last_status: latest.status,
    parcel_type: 'ecommerce',
    parcel_sub_type: null,
    payment_status: parcel.paymentStatus,
    payment_id: parcel.paymentId,
    label: labelOf(parcel),
  }
}

export function feeOf({ fields }: Parcel): number {
  const [from, to] = [fields.from_wilaya_name, fields.to_wilaya_name].map((wilaya) => wilayas.find(({ name }) => name === wilaya)?.id ?? 0)
  const commune = communes.find(({ name, wilaya_id }) => wilaya_id === to && name === fields.to_commune_name)
  const prices = fees(from!, to!)?.per_commune[String(commune?.id)]
  return (fields.is_stopdesk ? prices?.express_desk : prices?.express_home) ?? 0
}
