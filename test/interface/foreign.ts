import { bodySchema, type Described, parametersOf, type Schema } from '../support/openapi.ts'
import { bodyOf, example, parameterValue, pathOf, queryOf, type RichTenant } from '../support/rich-tenant.ts'

/** A request of one tenant in which one id is another tenant's. */
export interface Foreign {
  /** Where that stands: `path storeId`, `query filter[productId]`, `body /items/0/productId`. */
  readonly at: string
  /** The name of what stands there. */
  readonly name: string
  /** What stands there. */
  readonly id: string
  readonly path: string
  readonly body: unknown
}

/** Names a person whom anybody may name. */
const NO_ID = new Set(['email'])

/** Requests of `own`, each with an id of `other` in one place where an id can stand. */
export function foreignRequests(own: RichTenant, other: RichTenant, described: Described): Foreign[] {
  const foreign = (name: string) => {
    const [mine, theirs] = [own, other].map((tenant) => parameterValue(tenant, described.path, name))
    return NO_ID.has(name) || theirs === mine ? undefined : theirs
  }
  const [path, query, body] = [pathOf(own, described), queryOf(own, described), bodyOf(own, described)]
  const inPath = parametersOf(described, 'path').flatMap(({ name }): Foreign[] => {
    const id = foreign(name)
    if (id === undefined) return []
    const changed = pathOf(own, { ...described, path: described.path.replace(`{${name}}`, encodeURIComponent(id)) })
    return [{ at: `path ${name}`, name, id, path: changed + query, body }]
  })
  const inQuery = parametersOf(described, 'query').flatMap(({ name: parameter }): Foreign[] => {
    const name = /^filter\[(\w+)\]$/.exec(parameter)?.[1] ?? parameter
    const id = foreign(name)
    if (id === undefined) return []
    const asked = new URLSearchParams(query)
    asked.set(parameter, id)
    return [{ at: `query ${parameter}`, name, id, path: `${path}?${asked}`, body }]
  })
  const schema = bodySchema(described)
  const inBody = schema ? variants(own, foreign, schema) : []
  return [...inPath, ...inQuery, ...inBody.map(({ at, ...rest }) => ({ ...rest, at: `body ${at}`, path: path + query }))]
}

interface Variant {
  readonly at: string
  readonly name: string
  readonly id: string
  readonly body: unknown
}

/** The example of a schema, once for each id in it that may be another's; fields that may be left out are there where they hold it. */
function variants(own: RichTenant, foreign: (name: string) => string | undefined, schema: Schema, name = 'body'): Variant[] {
  const inside = (part: Schema, partName: string) => variants(own, foreign, part, partName)
  if (schema.anyOf && schema.type === undefined) return schema.anyOf.flatMap((member) => inside(member, name))
  if (schema.type === 'array' && schema.items)
    return inside(schema.items, name.replace(/s$/, '')).map((variant) => ({ ...variant, at: `/0${variant.at}`, body: [variant.body] }))
  if (schema.type === 'object') {
    return Object.entries(schema.properties ?? {}).flatMap(([key, part]) =>
      inside(part, key).map((variant) => ({
        ...variant,
        at: `/${key}${variant.at}`,
        body: { ...(example(own, name, schema) as object), [key]: variant.body },
      })),
    )
  }
  // An `id` within a body is the caller's own name for a part of it.
  const id = schema.type === 'string' && !schema.enum && name !== 'id' ? foreign(name) : undefined
  return id === undefined ? [] : [{ at: '', name, id, body: id }]
}
