/** A node of the description: JSON Schema as data. */
type Node = Record<string, unknown>

/** Keys whose values are data rather than schemas. */
const DATA = new Set(['enum', 'default', 'required', 'example', 'examples'])
/** Keywords that a place may set beside a reference. */
const SIBLING_KEYS = ['description', 'default', 'nullable'] as const

/** Removes null from an enum: each place declares `nullable` itself. */
const withoutNull = (values: unknown) => (Array.isArray(values) ? values.filter((value) => value !== null) : values)

/** Creates the collector of named schemas. `hoist` replaces each with a reference and throws if two different schemas have one name. */
export function componentCollector() {
  const schemas: Record<string, Node> = {}
  const written = new Map<string, string>()

  function hoist(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(hoist)
    if (value === null || typeof value !== 'object') return value
    const node = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, DATA.has(key) ? part : hoist(part)]))
    const isNamed = typeof node.title === 'string' && (node.type === 'object' || Array.isArray(node.enum))
    return isNamed ? reference(String(node.title), node) : node
  }

  function reference(name: string, { title: _, ...whole }: Node): Node {
    const siblings = Object.fromEntries(SIBLING_KEYS.filter((key) => key in whole).map((key) => [key, whole[key]]))
    const entries = Object.entries(whole).filter(([key]) => !SIBLING_KEYS.some((other) => other === key))
    const schema = Object.fromEntries(entries.map(([key, value]) => [key, key === 'enum' ? withoutNull(value) : value]))
    const text = JSON.stringify(schema)
    if ((written.get(name) ?? text) !== text) throw new Error(`Two different schemas are called ${name}.`)
    written.set(name, text)
    const own = schemas[name]?.description ?? (siblings.nullable ? undefined : siblings.description)
    schemas[name] = { ...schema, ...(own !== undefined && { description: own }) }
    const ref = { $ref: `#/components/schemas/${name}` }
    const { nullable, ...rest } = siblings
    const differs = rest.default !== undefined || (rest.description !== undefined && rest.description !== own)
    if (nullable) return { type: whole.type, nullable, ...rest, allOf: [ref] }
    return differs ? { ...rest, allOf: [ref] } : ref
  }

  return { hoist, schemas: () => Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))) }
}
