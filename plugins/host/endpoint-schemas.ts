import { Type as T, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { Data, List, pageQuery } from '../../core/http/schema.ts'
import type { Method, Operation } from '../operation.ts'

/** Schemas of an operation's input and output at an endpoint. */
export interface EndpointSchemas {
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Response schemas by status; absent if the response is raw bytes. */
  readonly response?: Readonly<Record<number, TSchema>>
}

const known = {
  storeId: T.String({ minLength: 1, maxLength: 64 }),
  key: T.String({ minLength: 1, maxLength: 60, description: "the adapter's slug; GET /v1/adapters lists them with what each offers" }),
}

/** Returns the schema of the path parameters: those that the host knows, and those of the operation. Undefined if the path has none. */
export function pathParametersOf(path: string, own: TProperties = {}): TObject | undefined {
  const found = Object.entries(known).filter(([name]) => path.split('/').includes(`:${name}`))
  const all = { ...Object.fromEntries(found), ...own }
  return Object.keys(all).length > 0 ? T.Object(all) : undefined
}

/**
 * Builds the schemas of an operation at a path. If an operation allows both GET and POST, the query parameters are in the body of the POST.
 */
export function endpointSchemasOf(
  { params, query, body, response, rows, status = 200, mayTakeLonger }: Operation,
  method: Method,
  path: string,
): EndpointSchemas {
  const asked = rows ? T.Object({ ...pageQuery, ...query?.properties }) : query
  const places = pathParametersOf(path, params?.properties)
  const inBody = method === 'POST' && asked !== undefined
  const taken = inBody ? T.Object(asked.properties, { additionalProperties: false }) : body
  const answer = rows ? List(rows) : response && Data(response)
  return {
    ...(places && { params: places }),
    ...(asked && !inBody && { query: asked }),
    ...(taken && { body: taken }),
    ...(answer && { response: { [status]: answer, ...(mayTakeLonger && { 202: answer }) } }),
  }
}

/**
 * Merges the schemas of all kinds that share an endpoint. The result only documents; the request is validated by the schemas of its kind
 * once that is known.
 */
export function mergeEndpointSchemas(forms: readonly EndpointSchemas[]): EndpointSchemas {
  const [only] = forms
  if (only && forms.length === 1) return only
  const statuses = [...new Set(forms.flatMap(({ response }) => Object.keys(response ?? {})))].map(Number)
  return {
    ...(forms.some(({ params }) => params) && { params: anyOfEach(forms.map(({ params = none }) => params)) }),
    ...(forms.some(({ query }) => query) && { query: anyOfEach(forms.map(({ query = none }) => query)) }),
    ...(forms.some(({ body }) => body) && { body: anyOf(forms.map(({ body }) => body ?? T.Null())) }),
    ...(statuses.length > 0 && {
      response: Object.fromEntries(
        statuses.map((status) => [status, T.Union(different(forms.flatMap(({ response }) => response?.[status] ?? [])))]),
      ),
    }),
  }
}

const none = T.Object({})

/** Accepts any value, but documents it as one of these schemas. */
const anyOf = (schemas: readonly TSchema[]): TSchema => {
  const [first, ...others] = different(schemas)
  return first && others.length === 0 ? first : T.Any({ anyOf: different(schemas) })
}

const different = (schemas: readonly TSchema[]) => [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]

function anyOfEach(objects: readonly TObject[]): TObject {
  const names = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties)))]
  const property = (name: string) => {
    const schema = anyOf(objects.flatMap(({ properties }) => properties[name] ?? []))
    return objects.every(({ required }) => required?.includes(name)) ? schema : T.Optional(schema)
  }
  return T.Object(Object.fromEntries(names.map((name) => [name, property(name)])))
}
