/** What providers are known to refuse of the tools that they are told of, in their own words. */
type Json = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const TOP = ['anyOf', 'oneOf', 'allOf', 'enum', 'not']

/** Every schema within a schema. */
function* schemasIn(node: unknown, path: string): Generator<[path: string, schema: Json]> {
  if (!isRow(node)) return
  yield [path, node]
  for (const [name, one] of Object.entries(isRow(node.properties) ? node.properties : {}))
    yield* schemasIn(one, `${path}.properties[${name}]`)
  for (const [name, one] of Object.entries(isRow(node.$defs) ? node.$defs : {})) yield* schemasIn(one, `${path}.$defs[${name}]`)
  yield* schemasIn(node.items, `${path}.items`)
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    for (const [at, one] of (Array.isArray(node[key]) ? node[key] : []).entries()) yield* schemasIn(one, `${path}.${key}[${at}]`)
}

/** https://platform.openai.com: "Invalid schema for function …" and the pattern of names. */
export function openAiRefusal(tools: readonly { readonly function: { readonly name: string; readonly parameters?: unknown } }[] = []) {
  for (const [at, { function: tool }] of tools.entries()) {
    const { name, parameters } = tool
    if (!NAME.test(name))
      return `Invalid 'tools[${at}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
    const problem = openAiProblem(parameters)
    if (problem) return `Invalid schema for function '${name}': ${problem}`
  }
  return undefined
}

function openAiProblem(parameters: unknown): string | undefined {
  if (!isRow(parameters) || parameters.type !== 'object') return `schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`
  if (TOP.some((key) => key in parameters))
    return `schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`
  for (const [path, schema] of schemasIn(parameters, '')) {
    if (schema.type === 'array' && !isRow(schema.items)) return `In context=${path}, array schema missing items.`
    if (schema.type === 'object' && !isRow(schema.properties)) return `In context=${path}, object schema missing properties.`
    if (Array.isArray(schema.enum) && schema.enum.length === 0) return `In context=${path}, [] should be non-empty.`
    if (schema.format === 'uri') return `In context=${path}, 'uri' is not a valid format.`
  }
  return undefined
}

/** https://platform.claude.com: `tools.0.custom.input_schema: …`. */
export function anthropicRefusal(tools: readonly { readonly name: string; readonly input_schema?: unknown }[] = []) {
  for (const [at, { name, input_schema: schema }] of tools.entries()) {
    const place = `tools.${at}.custom`
    if (!NAME.test(name)) return `${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (!isRow(schema) || schema.type !== 'object') return `${place}.input_schema.type: Field required`
    if (['anyOf', 'oneOf', 'allOf'].some((key) => key in schema))
      return `${place}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
    for (const [, one] of schemasIn(schema, '')) {
      const odd = Object.keys(isRow(one.properties) ? one.properties : {}).find((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
      if (odd !== undefined) return `${place}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`
      if (
        Array.isArray(one.items) ||
        one.required === true ||
        one.exclusiveMinimum === true ||
        (Array.isArray(one.enum) && one.enum.length === 0)
      )
        return `${place}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`
    }
  }
  return undefined
}

const GEMINI_KEYS = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'minItems', 'maxItems', 'required', 'minimum', 'maximum'],
  ...[
    'minLength',
    'maxLength',
    'pattern',
    'anyOf',
    'properties',
    'propertyOrdering',
    'minProperties',
    'maxProperties',
    'default',
    'example',
  ],
])

/** https://ai.google.dev: `GenerateContentRequest.tools[0].function_declarations[0].parameters…`. */
export function geminiRefusal(declarations: readonly { readonly name: string; readonly parameters?: unknown }[] = []) {
  for (const [at, { name, parameters }] of declarations.entries()) {
    const place = `GenerateContentRequest.tools[0].function_declarations[${at}]`
    if (!/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name))
      return `${place}.name: Invalid function name. Must start with a letter or an underscore.`
    const problem = parameters === undefined ? undefined : geminiProblem(parameters, `${place}.parameters`)
    if (problem) return problem
  }
  return undefined
}

function geminiProblem(parameters: unknown, place: string): string | undefined {
  if (!isRow(parameters) || parameters.type !== 'object') return `${place}: schema should be of OBJECT type`
  for (const [path, schema] of schemasIn(parameters, place)) {
    const unknown = Object.keys(schema).find((key) => !GEMINI_KEYS.has(key))
    if (unknown !== undefined) return `Invalid JSON payload received. Unknown name "${unknown}" at '${path}': Cannot find field.`
    if (Array.isArray(schema.type))
      return `Invalid JSON payload received. Unknown name "type" at '${path}': Proto field is not repeating, cannot start list.`
    if (schema.type === undefined && schema.anyOf === undefined) return `${path} schema didn't specify the schema type field`
    if (schema.type === 'array' && !isRow(schema.items)) return `${path}.items: missing field`
    if (schema.type === 'object' && Object.keys(isRow(schema.properties) ? schema.properties : {}).length === 0)
      return `${path}.properties: should be non-empty for OBJECT type`
    if (Array.isArray(schema.enum) && schema.type !== 'string') return `${path}.enum: only allowed for STRING type`
    if (Array.isArray(schema.enum) && (schema.enum.length === 0 || schema.enum.some((one) => typeof one !== 'string' || one === '')))
      return `${path}.enum[0]: cannot be empty`
    if (schema.type === 'string' && schema.format !== undefined && !['enum', 'date-time'].includes(String(schema.format)))
      return `${path}.format: only 'enum' and 'date-time' are supported for STRING type`
    const known = Object.keys(isRow(schema.properties) ? schema.properties : {})
    for (const name of Array.isArray(schema.required) ? schema.required : [])
      if (!known.includes(String(name))) return `${path}.required[0]: property is not defined`
  }
  return undefined
}
