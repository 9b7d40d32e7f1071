import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { InboundRequest } from '../../adapter.ts'
import type { LinkAsked } from '../linking.model.ts'
import type { ExternalOrder, ShopStatus, StatusPushed } from '../model.ts'

/**
 * Faults of the simulator. `error`: answers a 5xx, with nothing done. `rate_limited`: answers 429 with `Retry-After: 2`. `malformed`: sends
 * half an answer. `mumbled`: answers `{"ok":1}`.
 */
export type Fault = 'error' | 'rate_limited' | 'malformed' | 'mumbled'

/** A subscription as the simulator recorded it. */
export interface SeenSubscription {
  readonly address: string
  readonly topic: string
  readonly isOn: boolean
}

/** An order as the simulator has it. */
export interface SeenOrder {
  readonly externalId: string
  readonly total: string
  readonly phone: string
  readonly city: string
  readonly lines: number
  /** Total number over all lines. */
  readonly pieces: number
  /** Price of one piece of the first line, including tax. */
  readonly unitPrice: string
  readonly delivery: string
  /** Time of creation with its zone; absent if the platform does not tell it. */
  readonly createdAt?: string
}

/** The simulator's own records. */
export interface Seen {
  readonly orders: readonly SeenOrder[]
  readonly subscriptions: readonly SeenSubscription[]
  /** Status of each order, as the shop calls it. */
  readonly statuses?: Readonly<Record<string, string>>
  /** Tracking numbers that the shop has stored, once for each time that one was written. */
  readonly trackingIds: readonly string[]
  readonly calls: readonly SeenCall[]
}

/** Change of one order in the shop's records, in the shop's format. It may make the order invalid. */
export interface OrderEdit {
  /** Quantity of the first line. */
  readonly quantity?: unknown
  readonly name?: unknown
  readonly unitPrice?: unknown
  readonly sku?: unknown
  readonly variant?: unknown
  /** All lines. */
  readonly lines?: unknown
  readonly total?: unknown
  readonly currency?: unknown
  /** Second phone number of the customer, in addition to the first. */
  readonly phoneAlt?: unknown
  readonly email?: unknown
  readonly note?: unknown
  readonly customerName?: unknown
}

/** Goods in the shop's own books. */
export interface ShelfGoods {
  readonly sku: string
  /** Null: the shop does not count them. */
  readonly stock: number | null
  /** A version of another product, as sizes are. */
  readonly isVersion?: true
}

/** The shop's own count of its goods. */
export interface Shelf {
  /** Puts these goods into the shop. */
  put(desk: Desk, goods: readonly ShelfGoods[]): Promise<void>
  /** Stock levels that the shop shows, by SKU. */
  levels(desk: Desk): Promise<Readonly<Record<string, number | null>>>
  /** From now on the shop takes no other stock of these goods, and says so as it would. */
  refuse(desk: Desk, sku: string): Promise<void>
}

/** The other side of a shop platform, or an adapter's own storage. */
export interface Rig {
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  /** Invalid credentials. Required for a platform that is called. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** Creates orders in the shop of this connection, and returns their ids. */
  place(desk: Desk, count: number): Promise<readonly string[]>
  /** Brings an order to a status, as a user of the shop would, one minute later. */
  become(desk: Desk, externalId: string, status: ShopStatus): Promise<void>
  /** Removes a piece of an order's first line, as a user of the shop would, one minute later. Absent if that is impossible or unknown. */
  reduce?(desk: Desk, externalId: string): Promise<void>
  /** Deletes an order, so that no list has it any more. Absent if that is impossible or unknown. */
  discard?(desk: Desk, externalId: string): Promise<void>
  /** Fields of an order that the shop has, and that `edit` can write. */
  readonly edits?: readonly (keyof OrderEdit)[]
  /** Writes fields of an order into the shop's records. Lists, callbacks and single reads show them afterwards. */
  edit?(desk: Desk, externalId: string, change: OrderEdit): Promise<void>
  /** The shop's names for pushed statuses; null if a push leaves the status unchanged. */
  readonly pushed?: Readonly<Record<StatusPushed['status'], string | null>>
  /** A repeated push replaces the same value, and notifies nobody. */
  readonly replaces?: true
  /** Topics of order events that the shop has, as `subscriptions` names them. */
  readonly topics?: readonly string[]
  /** Unsubscribing ends all of our subscriptions, whatever their address. */
  readonly endsAll?: true
  /** Id of the shop, as `account` returns it. */
  readonly account?: string
  /** Products of the shop, as `ownProducts` must return them. */
  readonly products?: readonly { readonly name: string; readonly price: string; readonly sku?: string }[]
  /** Needed of a platform with `pushStock`. */
  readonly shelf?: Shelf
  /** An order that is not found may only be old, so it does not count as deleted. */
  readonly hidesDiscarded?: true
  seen(desk: Desk): Promise<Seen>
  /**
   * Creates an order that is not complete yet, such as one that waits for its payment, and returns its id. Absent if the platform has none.
   */
  unfinished?(desk: Desk): Promise<string>
  /** Builds a callback about an order with its current state, as the platform sends it. */
  callback?(desk: Desk, externalId: string): Promise<InboundRequest>
  /** Builds a callback about a deleted order. */
  gone?(desk: Desk, externalId: string): Promise<InboundRequest>
  /** Builds a callback with these bytes and a valid proof. */
  signed?(desk: Desk, body: Uint8Array): Promise<InboundRequest>
  /** Credential that proves callbacks; `webhookSecret` by default. */
  readonly secret?: string
  /** Header that holds the proof. */
  readonly proof?: string
  /** The proof covers the caller, not the content: the adapter only takes the order's id from a callback, and reads it. */
  readonly provesCallerAlone?: true
  /** Its orders are answers to a form: they have no status there, and are never deleted. */
  readonly isForm?: true
  /** Its orders have no time of change: each counts as changed when it was read, and all of the last weeks are read every time. */
  readonly saysNoChanges?: true
  /** It does not store tracking numbers, only the status. */
  readonly keepsNoNumber?: true
  /** A pushed status does not show when an order is read. */
  readonly readsNoPush?: true
  /** Disables the subscriptions, as a platform does after failed callbacks. */
  switchOff?(desk: Desk): Promise<void>
  /** Builds the shop's message with keys, after its owner approved this request. */
  keys?(asked: LinkAsked): InboundRequest
  /** Keys in that message by the names of the credentials. Required if there are `keys`. */
  readonly sentKeys?: Readonly<Record<string, string>>
  fail?(fault: Fault): void
  /** Ends all faults. */
  calm(): void
  readonly secretsInQuery?: string
  /**
   * Names of headers and query parameters that hold the time of a call. By default those whose name suggests it (`timestamp`, `x-date`).
   */
  readonly clocks?: readonly string[]
  close?(): unknown
}

export type { ExternalOrder }
