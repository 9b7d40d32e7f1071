import type { Shipment } from 'serai/carrier'
import type { Sandbox } from './fields.ts'

/** Status with the time since which it holds. */
export interface Step {
  readonly status: string
  readonly at: string
  readonly eventId?: string
}

/** Parcel as this carrier stores it. */
export interface Kept {
  readonly tracking: string
  readonly shipment: Shipment
  readonly fee: number
  readonly history: readonly Step[]
  /** Payout of the parcel, if a callback named one. */
  readonly payout?: string
}

const prefix = 'parcel:'
const maxSteps = 100
const digits = 18n

/**
 * Derives the tracking number from connection and reference, so that one `add` stores the parcel and prevents a second one. A lookup by
 * reference needs no index.
 */
export async function trackingOf(context: Sandbox, reference: string): Promise<string> {
  const text = new TextEncoder().encode(`${context.connectionId}\n${reference}`)
  const hash = new DataView(await crypto.subtle.digest('SHA-256', text))
  return `SBX${(hash.getBigUint64(0) % 10n ** digits).toString().padStart(Number(digits), '0')}`
}

/** Changes the current version of a parcel, and retries when another request changed it. Errors of `change` are passed on. */
export async function change(context: Sandbox, tracking: string, change: (parcel: Kept) => Kept): Promise<Kept | undefined> {
  for (;;) {
    const parcel = await readParcel(context, tracking)
    if (!parcel) return undefined
    const changed = change(parcel)
    if (changed === parcel || (await context.storage.replace(prefix + tracking, parcel, changed))) return changed
  }
}

export const storeNew = (context: Sandbox, parcel: Kept) => context.storage.add(prefix + parcel.tracking, parcel)

export async function readParcel(context: Sandbox, tracking: string): Promise<Kept | undefined> {
  return ((await context.storage.get(prefix + tracking)) as Kept | null | undefined) ?? undefined
}

/** Iterates over all parcels by tracking number, beginning after `after`. */
export async function* allParcels(context: Sandbox, after?: string): AsyncGenerator<Kept> {
  const page = 500
  for (let last = prefix + (after ?? ''); ; ) {
    const rows = await context.storage.list(prefix, { after: last, limit: page })
    yield* rows.map(({ value }) => value as Kept)
    if (rows.length < page) return
    last = rows.at(-1)!.key
  }
}

/** Returns the latest step by the carrier's clock, whatever the order of arrival. */
export const current = (parcel: Kept): Step => parcel.history.at(-1)!

/** Adds a step in order of time, unless it is present. Nothing follows a cancellation. */
export function withStep(parcel: Kept, step: Step): Kept {
  if (current(parcel).status === 'cancelled') return parcel
  const isSame = ({ eventId, status, at }: Step) => eventId === step.eventId && status === step.status && at === step.at
  if (parcel.history.some(isSame)) return parcel
  const history = [...parcel.history, step].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const end = history.findIndex(({ status }) => status === 'cancelled')
  return { ...parcel, history: history.slice(0, end < 0 ? undefined : end + 1).slice(-maxSteps) }
}
