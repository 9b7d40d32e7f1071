import { isIP } from 'node:net'
import type { Context } from '../../../context.ts'
import { type Tx, transaction } from '../../../data/sql.ts'
import { parsePhone } from '../../../http/body/phone.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { sharedErrors } from '../../../lib/errors/shared-errors.ts'
import { newId } from '../../../lib/ids.ts'
import { recordAudit } from '../../../platform/audit/record-audit.ts'
import { fold, removeSpaces } from '../../../platform/geo/names/fold.ts'
import { resolveAddress } from '../../../platform/geo/resolve/resolve-address.ts'
import { lockMembers } from '../members/members.queries.ts'
import { storeErrors } from '../stores.errors.ts'
import type { Store } from '../stores.model.ts'
import { BLOCKS_MAX, type Block, type NewBlock, PREFIX_BITS_MIN } from './blocks.model.ts'
import {
  type BlockKeys,
  canonicalNetwork,
  countBlocks,
  deleteBlock,
  findBlockByValue,
  type MatchingBlock,
  upsertBlock,
} from './blocks.queries.ts'

/**
 * Blocks public orders with this phone number, to this address or from this network. Replaces a block of the same value. `by` is the user's
 * id; null for an API key. Throws `invalid_request`, `limit_reached`.
 */
export async function addBlock(tx: Tx, store: Store, by: string | null, input: NewBlock): Promise<Block> {
  const { phone, address, ip, reason = '', expiresAt = null } = input
  if ([phone, address, ip].filter((one) => one !== undefined).length !== 1) throw storeErrors.blockAmbiguous({ field: [] })
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) throw sharedErrors.timeInPast({ field: ['expiresAt'] })
  const what =
    phone !== undefined ? phoneValue(store, phone) : address !== undefined ? addressValue(store, address) : await networkValue(tx, ip ?? '')
  await lockMembers(tx, store.id)
  const before = await findBlockByValue(tx, store.id, what.kind, what.matched)
  if (!before && (await countBlocks(tx, store.id)) >= BLOCKS_MAX) throw storeErrors.tooManyBlocks({ blocksMax: BLOCKS_MAX })
  const made = await upsertBlock(tx, { id: newId('blk'), storeId: store.id, ...what, reason, blockedBy: by, expiresAt })
  const after = { ...made, value: what.value }
  await recordAudit(
    tx,
    { storeId: store.id },
    { what: before ? 'block.changed' : 'block.added', thing: made.id, ...(before && { before }), after },
  )
  return made
}

/** Removes a block. Throws `not_found`. */
export function removeBlock({ sql }: Pick<Context, 'sql'>, store: Store, id: string): Promise<void> {
  return transaction(sql, async (tx) => {
    const before = await deleteBlock(tx, store.id, id)
    if (!before) throw notFound('The block')
    const { phone, address, ip } = before
    await recordAudit(tx, { storeId: store.id }, { what: 'block.removed', thing: id, before: { ...before, value: { phone, address, ip } } })
  })
}

/** Data of an order that blocks are matched against. */
export interface BlockSubject {
  /** Phone numbers in E.164. */
  readonly phones: readonly (string | null)[]
  readonly destination: Place
  /** IP address of the customer; null where the request does not come from the customer. */
  readonly ip: string | null
}

interface Place {
  readonly country: string
  readonly stateCode: string
  readonly cityName: string
  readonly address: string
}

/** Returns the keys by which blocks match an order, for `listMatchingBlocks`. */
export function blockKeysOf({ phones, destination, ip }: BlockSubject): BlockKeys {
  const known = ip === null ? null : unmapIpv4(ip)
  return {
    phones: phones.filter((phone) => phone !== null),
    address: addressKeyOf(destination),
    ip: known !== null && isIP(known) !== 0 && !known.includes('%') ? known : null,
  }
}

/** Returns the reasons why a customer is blocked, for members of the store; null where no block matches. */
export const blockReasonOf = (matching: readonly MatchingBlock[]): string | null =>
  matching.length === 0 ? null : matching.map(({ kind, reason }) => `${KIND_NAMES[kind]}${reason && ` (${reason})`}`).join(', ')

/** Throws `recipient_blocked` where a block matches. The message does not name the block, because the customer sees it. */
export function assertNotBlocked(matching: readonly MatchingBlock[]): void {
  if (matching.length > 0) throw storeErrors.orderNotAccepted()
}

const KIND_NAMES: Readonly<Record<Block['kind'], string>> = { phone: 'the phone', address: 'the address', ip: 'the network' }

function phoneValue(store: Store, typed: string) {
  const phone = parsePhone(typed, store.countryCode, ['phone'])
  return { kind: 'phone' as const, value: { phone }, matched: phone, network: null }
}

function addressValue(store: Store, typed: NonNullable<NewBlock['address']>) {
  const { country, stateCode, cityName, address } = resolveAddress({
    ...typed,
    country: typed.country ?? store.countryCode,
    deliveryType: 'home',
  })
  const place = { country, stateCode, cityName, address }
  const matched = addressKeyOf(place)
  if (matched === null) throw storeErrors.slugWithoutLetters({ field: ['address', 'address'] })
  return { kind: 'address' as const, value: { address: place }, matched, network: null }
}

/**
 * Builds the key that addresses are compared by: catalogue names where known, folded text otherwise. Null for an address without letters or
 * digits.
 */
function addressKeyOf({ country, stateCode, cityName, address }: Place): string | null {
  const [city, rest] = [cityName, address].map((text) => removeSpaces(fold(text)))
  return rest ? [country.toUpperCase(), stateCode.toLowerCase(), city, rest].join('|') : null
}

const unmapIpv4 = (address: string) => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address

async function networkValue(tx: Tx, typed: string) {
  const [head = '', tail, ...more] = typed.trim().split('/')
  const address = unmapIpv4(head)
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const bits = tail === undefined ? (version === 4 ? 32 : 64) : /^\d{1,3}$/.test(tail) ? Number(tail) : -1
  if (version === 0 || address.includes('%') || more.length > 0 || bits < 0 || bits > most || (tail !== undefined && address !== head))
    throw storeErrors.ipInvalid({ field: ['ip'] })
  const least = PREFIX_BITS_MIN[version as 4 | 6]
  if (bits < least) throw storeErrors.prefixTooShort({ least }, { field: ['ip'] })
  const ip = await canonicalNetwork(tx, address, bits)
  return { kind: 'ip' as const, value: { ip }, matched: ip, network: ip }
}
