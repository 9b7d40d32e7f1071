import type { InboundRequest } from '../../../../plugins/adapter.ts'
import type { ConnectorAdapter } from '../../../../plugins/connector/kind.ts'
import { jsonIn } from '../../../../plugins/toolkit/ask.ts'
import { isRow, word } from '../../../../plugins/toolkit/values.ts'
import { ApiError } from '../../../http/errors/errors.ts'

const NAME_MAX = 253
/** One callback tells of so many shops at most, and of so many things. */
const SHOPS_MAX = 50
const THINGS_MAX = 1_000
/** What is read before anything of it is proven is no longer: whoever likes sends it. */
const READ_MAX = 512 * 1024

interface Named {
  /** That holds which shop a connection is of. */
  readonly setting: string
  readonly names: readonly string[]
}

/** Whose news a callback to a platform's one address says it holds: by a header, or in its JSON. Nothing of it is proven yet. Throws `payload_too_large`. */
export function shopsNamed({ shop, shopHeader, shopInBody }: ConnectorAdapter, { headers, body }: InboundRequest): Named | undefined {
  if (shopInBody) {
    if (body.length > READ_MAX) throw new ApiError('payload_too_large', `Callbacks of all shops together have up to ${READ_MAX} bytes.`)
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

/** What stands at the end of a path, through lists as well; a list in a list is none. */
function namesAt(said: unknown, path: readonly string[]): string[] {
  const listed = (value: unknown) => (Array.isArray(value) ? value : [value])
  const some = (found: unknown[]) => found.slice(0, THINGS_MAX)
  const found = path.reduce<unknown[]>((at, step) => some(at.flatMap((one) => (isRow(one) ? listed(one[step]) : []))), some(listed(said)))
  return found.flatMap((one) => word(one) ?? [])
}
