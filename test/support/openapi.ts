import type { TestApp } from './app.ts'

/** A schema of the document. */
export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly not?: Schema
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: boolean
  readonly exclusiveMaximum?: boolean
  readonly 'x-decimals'?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly description?: string
  readonly required: boolean
  readonly schema: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required: boolean }
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
  readonly 'x-scope'?: string
  readonly 'x-role'?: string
  readonly 'x-permission'?: string
  readonly 'x-product'?: string
  /** Where kinds of adapters share an address and want different things. */
  readonly 'x-by-kind'?: Readonly<Record<string, KindAccess>>
  readonly 'x-callback'?: boolean
}

/** What one kind of adapter wants at an address that several share. */
export interface KindAccess {
  readonly role: string
  readonly scope: string
  /** Absent where it is the scope. */
  readonly permission?: string
  readonly product?: string
}

/** The permission that a kind wants of a member who was given some. */
export const permissionAtKind = ({ permission, scope }: KindAccess): string => permission ?? scope

export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> & { readonly Error: Schema } }
}

export interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export const readDocument = async (app: TestApp): Promise<Document> => (await app.ok('GET', '/openapi.json')) as Document

/** With what stands under a name in each place that refers to it, the one envelope of failures aside. */
function resolved(node: unknown, named: Document['components']['schemas']): unknown {
  if (Array.isArray(node)) return node.map((part) => resolved(part, named))
  if (node === null || typeof node !== 'object') return node
  const { $ref, allOf, ...rest } = node as { $ref?: unknown; allOf?: unknown[] }
  if (typeof $ref === 'string') return $ref.endsWith('/Error') ? node : resolved(named[$ref.split('/').at(-1)!], named)
  const beside = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, resolved(part, named)]))
  return allOf?.length === 1 ? { ...(resolved(allOf[0], named) as object), ...beside } : beside
}

export const describedBy = (document: Document): Described[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: resolved(operation, document.components.schemas) as Operation,
    })),
  )

/** Whether a credential of this kind is taken. */
export const takes = ({ operation }: Described, kind: 'session' | 'apiKey') => (operation.security ?? []).some((scheme) => kind in scheme)
/** Whether it answers without a credential. */
export const isOpen = ({ operation: { security } }: Described) =>
  !security?.length || security.some((scheme) => Object.keys(scheme).length === 0)

export const bodySchema = ({ operation }: Described): Schema | undefined => operation.requestBody?.content?.['application/json']?.schema
export const parametersOf = ({ operation }: Described, place: Parameter['in']) =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place)
