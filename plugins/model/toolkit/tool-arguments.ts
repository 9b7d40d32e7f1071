import { jsonIn } from '../../toolkit/ask.ts'
import { isRow, type Row } from '../../toolkit/values.ts'
import { keyNames } from './tool-names.ts'
import { DEPTH_MAX, dereference, listIn, rowIn, typesOf } from './tool-schema.ts'

/**
 * Translates a model's arguments back to the tool's own schema: property names, enum values that are not strings, and objects described as
 * JSON text. Invalid JSON is returned unchanged.
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

/** Returns true if the value may belong to this branch. */
function suits(value: unknown, branch: unknown, root: Row): boolean {
  const node = dereference(rowIn(branch), root) ?? {}
  const types = typesOf(node)
  if (types.length > 0 && !allows(types, value)) return false
  return !isRow(value) || !isRow(node.properties) || Object.keys(value).some((key) => [...keysOf(node).values()].includes(key))
}

/** Converts a text into what the schema expects instead: a value of its enum, or JSON written as text. */
function fromText(value: string, node: Row, root: Row): unknown {
  const choices = 'const' in node ? [node.const] : listIn(node.enum)
  if (choices.length > 0) return choices.includes(value) ? value : (choices.find((choice) => textOf(choice) === value) ?? value)
  const types = allTypes(node, root)
  if (types.includes('string')) return value
  const parsed = jsonIn(value)
  if (types.length > 0) return parsed !== undefined && allows(types, parsed) ? parsed : value
  return isRow(parsed) || Array.isArray(parsed) ? parsed : value
}

const textOf = (choice: unknown) => (typeof choice === 'string' ? choice : JSON.stringify(choice))

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
