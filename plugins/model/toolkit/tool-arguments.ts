import { jsonIn } from '../../toolkit/ask.ts'
import { isRow, type Row } from '../../toolkit/values.ts'
import { keyNames } from './tool-names.ts'
import { DEPTH_MAX, dereference, listIn, rowIn, typesOf } from './tool-schema.ts'

/**
 * Arguments of a call as the tool's own schema names and types them, from those that the model wrote for the schema that it was told: names of
 * properties, values of enums that are no strings, and objects that were told as JSON text. Text that is no JSON stays as it is.
 */
export function restoreArguments(written: string, schema: Row): string {
  const value = jsonIn(written)
  if (!isRow(value)) return written
  const restored = JSON.stringify(restore(value, schema, schema, 0))
  return restored === JSON.stringify(value) ? written : restored
}

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value

const allows = (types: readonly string[], value: unknown) =>
  types.includes(typeOf(value)) || (typeof value === 'number' && types.includes('number'))

function restore(value: unknown, schema: unknown, root: Row, depth: number): unknown {
  const node = isRow(schema) && depth <= DEPTH_MAX ? dereference(schema, root) : null
  if (!node) return value
  const branches = [...listIn(node.anyOf), ...listIn(node.oneOf), ...listIn(node.allOf)]
  const own = typeof value === 'string' ? fromText(value, node, root) : value
  const inside = isRow(own) ? object(own, node, root, depth) : Array.isArray(own) ? array(own, node, root, depth) : own
  return branches.reduce((current, branch) => (suits(current, branch, root) ? restore(current, branch, root, depth + 1) : current), inside)
}

/** Whether a value may be meant by this branch. */
function suits(value: unknown, branch: unknown, root: Row): boolean {
  const node = dereference(rowIn(branch), root) ?? {}
  const types = typesOf(node)
  if (types.length > 0 && !allows(types, value)) return false
  return !isRow(value) || !isRow(node.properties) || Object.keys(value).some((key) => [...keysOf(node).values()].includes(key))
}

/** A text where the schema wants something else: a value of its enum, or JSON that was written as text. */
function fromText(value: string, node: Row, root: Row): unknown {
  const choices = 'const' in node ? [node.const] : listIn(node.enum)
  if (choices.length > 0) return choices.includes(value) ? value : (choices.find((choice) => written(choice) === value) ?? value)
  const types = allTypes(node, root)
  if (types.includes('string')) return value
  const parsed = jsonIn(value)
  if (types.length > 0) return parsed !== undefined && allows(types, parsed) ? parsed : value
  return isRow(parsed) || Array.isArray(parsed) ? parsed : value
}

const written = (choice: unknown) => (typeof choice === 'string' ? choice : JSON.stringify(choice))

function allTypes(node: Row, root: Row): string[] {
  const branches = [...listIn(node.anyOf), ...listIn(node.oneOf)].map((one) => dereference(rowIn(one), root) ?? {})
  return [...typesOf(node), ...branches.flatMap(typesOf)]
}

const keysOf = (node: Row) => keyNames(Object.keys(rowIn(node.properties)))

function object(value: Row, node: Row, root: Row, depth: number): Row {
  const properties = rowIn(node.properties)
  const ownNames = new Map([...keysOf(node)].map(([own, told]) => [told, own]))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const name = ownNames.get(key) ?? key
      return [name, restore(one, Object.hasOwn(properties, name) ? properties[name] : node.additionalProperties, root, depth + 1)]
    }),
  )
}

const array = (value: readonly unknown[], node: Row, root: Row, depth: number) =>
  value.map((one) => restore(one, node.items, root, depth + 1))
