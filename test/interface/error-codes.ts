import { join } from 'node:path'
import ts from '@typescript/typescript6'
import { readConfig } from '../../core/config.ts'
import { conflicts } from '../../core/http/errors/conflicts.ts'
import { errorStatuses } from '../../core/http/errors/statuses.ts'
import type { ErrorCode } from '../../core/lib/errors/codes.ts'
import { serve } from '../../core/serve.ts'
import { type Document, describedBy } from '../support/openapi.ts'
import { removeScratch, scratchFolder } from '../support/scratch.ts'

/**
 * Writes core/reference/error-codes.json: the codes of 409 and 422 that each operation may answer with, read off the code that its route, its
 * resource or its adapter's operation reaches: codes in `DomainError`, and constraints of the tables that its SQL writes.
 */
const ROOT = join(import.meta.dir, '../..')
export const CODES_FILE = join(ROOT, 'core/reference/error-codes.json')

const isTold = (text: string): text is ErrorCode =>
  Object.hasOwn(errorStatuses, text) && [409, 422].includes(errorStatuses[text as ErrorCode])

interface Found {
  readonly codes: ReadonlySet<ErrorCode>
  readonly reaches: readonly ts.Node[]
}

/** Reads declarations of a program, each once. */
class Reader {
  readonly #found = new Map<ts.Node, Found>()
  readonly checker: ts.TypeChecker
  /** Services of the context, and subscribers of domain events, by name. */
  readonly #members = new Map<string, ts.Node[]>()
  /** Members of the payables that features declare, by name. */
  readonly #payables = new Map<string, ts.Node[]>()

  constructor(readonly program: ts.Program) {
    this.checker = program.getTypeChecker()
  }

  /** Notes services that a feature opens, functions that it provides for those below, and its followers. */
  noteMembers(node: ts.Node) {
    if (!ts.isPropertyAssignment(node) && !ts.isMethodDeclaration(node) && !ts.isShorthandPropertyAssignment(node)) return
    const name = node.name.getText()
    const owner = node.parent.parent
    const isService = ts.isPropertyAssignment(owner) && ['services', 'provides'].includes(owner.name.getText())
    const isFollower = ts.isStringLiteral(node.name) && ts.isMethodDeclaration(node)
    const key = isService ? `service ${name}` : isFollower ? `event ${(node.name as ts.StringLiteral).text}` : undefined
    if (key) this.#members.set(key, [...(this.#members.get(key) ?? []), node])
  }

  /** Notes the rules of each payable, which the payment engine reaches through its kind. */
  notePayable(node: ts.Node) {
    if (!ts.isObjectLiteralExpression(node) || !isOfPayable(this.checker.getContextualType(node)?.getSymbol()?.name)) return
    for (const member of node.properties) {
      const name = member.name?.getText() ?? ''
      this.#payables.set(name, [...(this.#payables.get(name) ?? []), member])
    }
  }

  /** Codes of everything that a node reaches. What a route of a domain pays for is the payable of that domain. */
  codesFrom(...seeds: readonly ts.Node[]): ErrorCode[] {
    const [seen, open, codes] = [new Set<ts.Node>(), [...seeds], new Set<ErrorCode>()]
    const payables = [...this.#payables.values()].flat()
    const own = payables.filter((member) => seeds.some((seed) => featureOf(seed) === featureOf(member)))
    if (own.length > 0) for (const member of payables) if (!own.includes(member)) seen.add(member)
    for (let node = open.pop(); node; node = open.pop()) {
      if (seen.has(node)) continue
      seen.add(node)
      const found = this.#read(node)
      for (const code of found.codes) codes.add(code)
      open.push(...found.reaches)
    }
    return [...codes].sort()
  }

  #read(node: ts.Node): Found {
    const known = this.#found.get(node)
    if (known) return known
    const [codes, reaches] = [new Set<ErrorCode>(), new Set<ts.Node>()]
    const visit = (one: ts.Node) => {
      if (ts.isTypeNode(one)) return
      const errors = this.#errorsOf(one)
      if (errors) {
        for (const code of errors) if (isTold(code)) codes.add(code)
        if (ts.isElementAccessExpression(one)) visit(one.argumentExpression)
        return
      }
      if (ts.isStringLiteral(one) && isTold(one.text) && isThrown(one)) codes.add(one.text)
      if (isSql(one)) for (const code of conflictsIn(one.getText())) codes.add(code)
      if (ts.isPropertyAssignment(one) && one.name.getText() === 'table' && ts.isStringLiteral(one.initializer))
        for (const code of conflictsOf(one.initializer.text)) codes.add(code)
      if (ts.isIdentifier(one)) for (const target of this.#targets(one)) if (target !== node) reaches.add(target)
      if (ts.isStringLiteral(one) && isPublished(one))
        for (const follower of this.#members.get(`event ${one.text}`) ?? []) if (follower !== node) reaches.add(follower)
      ts.forEachChild(one, visit)
    }
    visit(node)
    const found = { codes, reaches: [...reaches] }
    this.#found.set(node, found)
    return found
  }

  /** Codes of `orderErrors.notSendable`, or of the names that `orderErrors[…]` can have: those alone, not all of the table. */
  #errorsOf(node: ts.Node): string[] | undefined {
    if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)) return undefined
    const [declaration] = ts.isIdentifier(node.expression) ? this.#targets(node.expression) : []
    const made = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
    if (!made || !ts.isCallExpression(made) || made.expression.getText() !== 'defineErrors') return undefined
    const table = made.arguments[0] as ts.ObjectLiteralExpression
    const named = ts.isPropertyAccessExpression(node) ? undefined : this.checker.getTypeAtLocation(node.argumentExpression)
    const names = ts.isPropertyAccessExpression(node) ? [node.name.text] : textsOf(named)
    return names.flatMap((name) => {
      const entry = propertyOf(table, name)
      return entry && ts.isPropertyAssignment(entry) ? textsIn(entry.initializer).slice(0, 1) : []
    })
  }

  /** Declarations of ours that a name stands for: functions, constants, classes and their members. */
  #targets(name: ts.Identifier): ts.Node[] {
    const symbol = this.checker.getSymbolAtLocation(name)
    if (!symbol) return []
    const real = symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
    return (real.declarations ?? []).flatMap((declaration) => {
      const file = declaration.getSourceFile()
      if (ts.isPropertySignature(declaration) && isOfServices(declaration)) return this.#members.get(`service ${name.text}`) ?? []
      const { parent } = declaration
      if (parent && ts.isInterfaceDeclaration(parent) && isOfPayable(parent.name.text)) return this.#payables.get(name.text) ?? []
      if (file.isDeclarationFile || !/\/(core|plugins)\//.test(file.fileName)) return []
      return isOurs(declaration) ? [declaration] : []
    })
  }
}

/** The name of an event that is published; names of changes in the audit may look the same. */
const isPublished = ({ parent }: ts.StringLiteral) => ts.isCallExpression(parent) && parent.expression.getText() === 'publish'

const isOfServices = ({ parent }: ts.PropertySignature) =>
  ts.isInterfaceDeclaration(parent) && ['Services', 'Provided'].includes(parent.name.text)

const isOfPayable = (name: string | undefined) => name === 'Payable' || name === 'LockedPayable'

/** Folder of the feature of a node: `money/billing`. */
const featureOf = (node: ts.Node) => /\/core\/(\w+\/[\w-]+)\//.exec(node.getSourceFile().fileName)?.[1]

const isOurs = (node: ts.Node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isSourceFile(node.parent.parent.parent))

/** A code that is thrown or kept for throwing; not one that is compared with. */
function isThrown(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(parent))
    return ![ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(parent.operatorToken.kind)
  return !ts.isCaseClause(parent)
}

const isSql = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText().startsWith('sql')

const conflictsIn = (text: string) =>
  [...text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)/g)].flatMap(([, table = '']) => conflictsOf(table))
const conflictsOf = (table: string): ErrorCode[] =>
  Object.entries(conflicts).flatMap(([name, [code]]) => (name.startsWith(`${table}_`) && isTold(code) ? [code] : []))

/** String literals within a node. */
function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  const found: string[] = []
  ts.forEachChild(node, (one) => void found.push(...textsIn(one)))
  return found
}

/** Values of a type that is a string literal, or a union of some. */
const textsOf = (type: ts.Type | undefined): string[] =>
  type === undefined ? [] : type.isUnion() ? type.types.flatMap(textsOf) : type.isStringLiteral() ? [type.value] : []

const propertyOf = (object: ts.ObjectLiteralExpression, name: string) =>
  object.properties.find((one) => one.name?.getText().replace(/^['"]|['"]$/g, '') === name)

/** Codes by operation, for the operations of a document. */
export function errorCodes(document: Document): Record<string, ErrorCode[]> {
  const operations = new Map(describedBy(document).map((one) => [one.operation.operationId, one]))
  const files = [...new Bun.Glob('{core,plugins}/**/*.ts').scanSync(ROOT)].map((file) => join(ROOT, file))
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, ROOT)
  const reader = new Reader(ts.createProgram(files, options))
  const codes = new Map<string, Set<ErrorCode>>()
  const note = (id: string, found: readonly ErrorCode[]) => codes.set(id, new Set([...(codes.get(id) ?? []), ...found]))
  const served = new Map<string, ErrorCode[]>()
  const sources = reader.program.getSourceFiles().filter(({ fileName }) => files.includes(fileName))
  const noteAll = (node: ts.Node) => {
    reader.noteMembers(node)
    if (node.getSourceFile().fileName.includes('/core/money/')) reader.notePayable(node)
    ts.forEachChild(node, noteAll)
  }
  sources.forEach(noteAll)
  const shared = reader.program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.endsWith('core/http/resource/resource.ts'))
    .flatMap((file) => file.statements.filter(ts.isFunctionDeclaration))
    .flatMap((one) => reader.codesFrom(one))
  for (const source of sources) {
    const visit = (node: ts.Node) => {
      if (ts.isCallExpression(node)) noteRoute(node)
      if (ts.isObjectLiteralExpression(node)) noteResource(node)
      if (ts.isPropertyAssignment(node) && node.name.getText() === 'operations') noteServed(node.initializer)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }

  function noteRoute(call: ts.CallExpression) {
    for (const argument of call.arguments) {
      if (!ts.isObjectLiteralExpression(argument)) continue
      const documentation = propertyOf(argument, 'detail') ?? startOf(argument)
      if (!documentation) continue
      const ids = textsIn(documentation).filter((text) => operations.has(text))
      if (ids.length === 0) continue
      // A function of ours that makes routes; a method follows on those before it.
      const maker = ts.isIdentifier(call.expression) ? [call.expression] : []
      const found = reader.codesFrom(...maker, ...call.arguments)
      for (const id of ids) note(id, found)
    }
  }

  /** Documentation of the route that begins an import, of those that one call makes. */
  function startOf(sheet: ts.ObjectLiteralExpression) {
    const docs = propertyOf(sheet, 'docs')
    const routes = docs && ts.isPropertyAssignment(docs) ? docs.initializer : undefined
    return routes && ts.isObjectLiteralExpression(routes) ? propertyOf(routes, 'start') : undefined
  }

  /** Of a definition, wherever it stands; what all resources share is in `resource`. */
  function noteResource(definition: ts.ObjectLiteralExpression) {
    const [name, verbs] = [propertyOf(definition, 'name'), propertyOf(definition, 'verbs')]
    if (!name || !verbs || !propertyOf(definition, 'table')) return
    const [, text = ''] = textsIn(name).length > 1 ? textsIn(name) : ['', ...textsIn(name)]
    const found = [...reader.codesFrom(definition), ...shared]
    const own = text.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
    for (const verb of ['create', 'replace', 'patch', 'remove']) if (operations.has(`${own}.${verb}`)) note(`${own}.${verb}`, found)
  }

  function noteServed(initializer: ts.Expression) {
    const kinds = ts.isObjectLiteralExpression(initializer) ? initializer.properties : []
    for (const kind of kinds) {
      const kindName = kind.name?.getText() ?? ''
      const value = ts.isPropertyAssignment(kind) ? kind.initializer : undefined
      if (value && ts.isObjectLiteralExpression(value))
        for (const one of value.properties)
          served.set(`${kindName}.${one.name?.getText().replaceAll("'", '') ?? '*'}`, reader.codesFrom(one))
      if (value)
        served.set(`${kindName}.*`, [
          ...(served.get(`${kindName}.*`) ?? []),
          ...(ts.isObjectLiteralExpression(value) ? [] : reader.codesFrom(value)),
        ])
    }
  }

  for (const id of operations.keys()) {
    for (const one of id.split('.or.')) {
      const [kind = '', ...rest] = one.split('.')
      const name = rest.join('.')
      const found = served.get(`${kind}.${name}`) ?? served.get(`${kind}.*`)
      if (found) note(id, found)
    }
  }
  const sorted = new Map([...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, found]) => [id, [...found].sort()] as const))
  // Another address of the same operation of adapters: `carrier.label.parcels`.
  const isAlias = (id: string) => String(sorted.get(id.replace(/\.[\w-]+$/, ''))) === String(sorted.get(id)) && id.split('.').length > 2
  return Object.fromEntries([...sorted].filter(([id, found]) => found.length > 0 && !isAlias(id)))
}

/** The document of a server on a database that is gone afterwards. */
async function write() {
  const running = await serve(readConfig({ PORT: '0', DATA_DIR: await scratchFolder(), LOG_LEVEL: 'fatal' }), { socket: false })
  try {
    const response = await running.handle(new Request('http://localhost/openapi.json'))
    await Bun.write(CODES_FILE, `${JSON.stringify(errorCodes((await response.json()) as Document), null, 2)}\n`)
  } finally {
    await running.stop()
    await removeScratch()
  }
}

if (import.meta.main) await write()
