import type { SeenCall } from '../../acceptance/calls.ts'
import type { Desk, DeskOptions } from '../../acceptance/desk.ts'
import type { InboundRequest } from '../../adapter.ts'
import type { ExternalOrder, LinkAsked, ShopStatus, StatusPushed } from '../model.ts'

/** `error`: a 5xx, nothing done. `rate_limited`: 429 with `Retry-After: 2`. `malformed`: half of an answer. `mumbled`: `{"ok":1}`, which says nothing. */
export type Fault = 'error' | 'rate_limited' | 'malformed' | 'mumbled'

export interface SeenSubscription {
  readonly address: string
  readonly topic: string
  readonly isOn: boolean
}

export interface SeenOrder {
  readonly externalId: string
  readonly total: string
  readonly phone: string
  readonly city: string
  readonly lines: number
  /** Of all lines. */
  readonly pieces: number
  /** What one piece of the first line costs, with its tax. */
  readonly unitPrice: string
  readonly delivery: string
  /** When it was made, an instant with its zone; left out where it is not told. */
  readonly createdAt?: string
}

/** What the other side has in its own books, read from what arrived there. */
export interface Seen {
  readonly orders: readonly SeenOrder[]
  readonly subscriptions: readonly SeenSubscription[]
  /** Status of each order, in the shop's own words. */
  readonly statuses?: Readonly<Record<string, string>>
  /** What it was told of an order: the number of its parcel, each time that it was written down. */
  readonly trackingIds: readonly string[]
  readonly calls: readonly SeenCall[]
}

/** A change of one order in the shop's own books, as it is written there. What is no order at all may stand there, too. */
export interface OrderEdit {
  /** Of its first line. */
  readonly quantity?: unknown
  readonly name?: unknown
  readonly unitPrice?: unknown
  readonly sku?: unknown
  readonly variant?: unknown
  /** All of its lines. */
  readonly lines?: unknown
  readonly total?: unknown
  readonly currency?: unknown
  /** A second number of its customer, beside the first. */
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
  /** What the shop says of each, by its SKU. */
  levels(desk: Desk): Promise<Readonly<Record<string, number | null>>>
  /** From now on the shop takes no other stock of these goods, and says so as it would. */
  refuse(desk: Desk, sku: string): Promise<void>
}

/** The other side of a platform: a simulator, or the adapter's own note-book. */
export interface Rig {
  readonly credentials: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
  /** Needed of a platform that is asked anything. */
  readonly badCredentials?: Readonly<Record<string, unknown>>
  open(options?: DeskOptions): Desk
  /** Makes so many orders in the shop of this connection, and gives their names. */
  place(desk: Desk, count: number): Promise<readonly string[]>
  /** What a person of the shop makes of one, a minute later. */
  become(desk: Desk, externalId: string, status: ShopStatus): Promise<void>
  /** What a person of the shop does to one, a minute later: takes a piece of its first line away. Left out where that cannot be, or is not known. */
  reduce?(desk: Desk, externalId: string): Promise<void>
  /** Throws one away, so that it stands in no list any more. Left out where that cannot be, or is not known. */
  discard?(desk: Desk, externalId: string): Promise<void>
  /** Fields of an order that the shop has a place for, and `edit` can write. */
  readonly edits?: readonly (keyof OrderEdit)[]
  /** Writes fields of an order into the shop's books, which then says so in its list, its callbacks and when it is asked for one order. */
  edit?(desk: Desk, externalId: string, change: OrderEdit): Promise<void>
  /** How the shop writes what it is told, by its own words for statuses; null where it leaves the status as it is. */
  readonly pushed?: Readonly<Record<StatusPushed['status'], string | null>>
  /** It is told everything again by a call that replaces what stands there, and tells nobody of it. */
  readonly replaces?: true
  /** Topics of orders that the shop has, as `subscriptions` names them. */
  readonly topics?: readonly string[]
  /** It ends all subscriptions of ours at once, whatever their address. */
  readonly endsAll?: true
  /** Whose shop it is, as `account` says it. */
  readonly account?: string
  /** What the shop sells, as `ownProducts` has to tell it. */
  readonly products?: readonly { readonly name: string; readonly price: string; readonly sku?: string }[]
  /** Needed of a platform with `pushStock`. */
  readonly shelf?: Shelf
  /** An order that is not shown may only be old: reading it does not say that it is gone. */
  readonly hidesDiscarded?: true
  seen(desk: Desk): Promise<Seen>
  /** Makes what is no order yet, as one that waits for its payment, and gives its name. Left out where the platform has no such thing. */
  unfinished?(desk: Desk): Promise<string>
  /** A callback about an order as it stands now, as the platform sends it. */
  callback?(desk: Desk, externalId: string): Promise<InboundRequest>
  /** That an order was thrown away. */
  gone?(desk: Desk, externalId: string): Promise<InboundRequest>
  /** These bytes, rightly proven. */
  signed?(desk: Desk, body: Uint8Array): Promise<InboundRequest>
  /** The credential that proves callbacks: `webhookSecret` unless said. */
  readonly secret?: string
  /** The header that holds the proof. */
  readonly proof?: string
  /** It is of who calls, and not of what he says: the adapter takes from it only which order is to be read. */
  readonly provesCallerAlone?: true
  /** Its orders are answers to a form: nothing becomes of them there, and none is thrown away. */
  readonly isForm?: true
  /** Its orders do not say when they changed: each counts as of when it was read, and all of the last weeks are read every time. */
  readonly saysNoChanges?: true
  /** It has no place for the number of a parcel: it is told the status alone. */
  readonly keepsNoNumber?: true
  /** What it is told changes nothing of what is read of an order. */
  readonly readsNoPush?: true
  /** The platform switches its subscriptions off, as after callbacks that failed. */
  switchOff?(desk: Desk): Promise<void>
  /** The shop's own message with keys, after its owner said yes to this. */
  keys?(asked: LinkAsked): InboundRequest
  /** The keys in it, by the credentials that they are. Needed where there are `keys`. */
  readonly sentKeys?: Readonly<Record<string, string>>
  fail?(fault: Fault): void
  /** Ends all misbehaviour. */
  calm(): void
  readonly secretsInQuery?: string
  /** Headers and query parameters that say when a call is made. Unless said: those whose name says so (`timestamp`, `x-date`). */
  readonly clocks?: readonly string[]
  close?(): unknown
}

export type { ExternalOrder }
