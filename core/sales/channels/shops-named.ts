import type { InboundRequest } from '../../../plugins/adapter.ts'
import type { ConnectorAdapter } from '../../../plugins/connector/kind.ts'
import { jsonIn } from '../../../plugins/toolkit/ask.ts'
import { isRow, word } from '../../../plugins/toolkit/values.ts'

const NAME_MAX = 253
/** One callback tells of so many shops at most. */
const SHOPS_MAX = 50

interface Named {
  /** That holds which shop a connection is of. */
  readonly setting: string
  readonly names: readonly string[]
}

/** Whose news a callback to a platform's one address says it holds: by a header, or in its JSON. Nothing of it is proven yet. */
export function shopsNamed({ shop, shopHeader, shopInBody }: ConnectorAdapter, { headers, body }: InboundRequest): Named | undefined {
  if (shopInBody) {
    const found = namesAt(jsonIn(new TextDecoder().decode(body)), shopInBody.path.split('.'))
    return { setting: shopInBody.setting, names: [...new Set(found)].filter((name) => name.length <= NAME_MAX).slice(0, SHOPS_MAX) }
  }
  const named = shopHeader === undefined ? '' : (headers[shopHeader] ?? '')
  if (shop === undefined || named === '' || named.length > NAME_MAX) return undefined
  return { setting: shop, names: [named.toLowerCase()] }
}

/** What stands at the end of a path, through lists as well; a list in a list is none. */
function namesAt(said: unknown, path: readonly string[]): string[] {
  const listed = (value: unknown) => (Array.isArray(value) ? value : [value])
  const found = path.reduce<unknown[]>((at, step) => at.flatMap((one) => (isRow(one) ? listed(one[step]) : [])), listed(said))
  return found.flatMap((one) => word(one) ?? [])
}
