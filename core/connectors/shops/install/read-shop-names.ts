import type { InboundRequest } from '../../../../plugins/adapter.ts'
import type { ConnectorAdapter } from '../../../../plugins/connector/kind.ts'
import { jsonIn } from '../../../../plugins/toolkit/ask.ts'
import { isRow, word } from '../../../../plugins/toolkit/values.ts'
import { connectorShopErrors } from '../shops.errors.ts'

const NAME_MAX = 253
/** Largest number of shops in one webhook. */
const SHOPS_MAX = 50
const THINGS_MAX = 1_000
/** Largest webhook that is parsed before its verification, in bytes. */
const READ_MAX = 512 * 1024

interface ShopNames {
  /** Setting that holds the shop of a connection. */
  readonly setting: string
  readonly names: readonly string[]
}

/** Reads from a header or the body which shops a webhook claims to be about. Nothing is verified yet. Throws `payload_too_large`. */
export function readShopNames(
  { shop, shopHeader, shopInBody }: ConnectorAdapter,
  { headers, body }: InboundRequest,
): ShopNames | undefined {
  if (shopInBody) {
    if (body.length > READ_MAX) throw connectorShopErrors.webhookTooLarge({ readMax: READ_MAX })
    const found = namesAt(jsonIn(new TextDecoder().decode(body)), shopInBody.path.split('.'))
    return {
      setting: shopInBody.setting,
      names: [...new Set(found)].filter((name) => name.length <= NAME_MAX && !name.includes('\0')).slice(0, SHOPS_MAX),
    }
  }
  const named = shopHeader === undefined ? '' : (headers[shopHeader] ?? '')
  if (shop === undefined || named === '' || named.length > NAME_MAX) return undefined
  return { setting: shop, names: [named.toLowerCase()] }
}

/** Collects the texts at the end of a path, through lists too, but not through lists of lists. */
function namesAt(value: unknown, path: readonly string[]): string[] {
  const listed = (value: unknown) => (Array.isArray(value) ? value : [value])
  const some = (found: unknown[]) => found.slice(0, THINGS_MAX)
  const found = path.reduce<unknown[]>((at, step) => some(at.flatMap((one) => (isRow(one) ? listed(one[step]) : []))), some(listed(value)))
  return found.flatMap((one) => word(one) ?? [])
}
