import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '..')

interface Import {
  /** A path from the repository's root, or the name of a package. */
  readonly target: string
  readonly typeOnly: boolean
}

interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
}

const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

function read(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const imports = [...text.matchAll(IMPORT)].map(([, type, specifier, dynamic]) => {
    const name = (specifier ?? dynamic)!
    return { target: name.startsWith('.') ? normalize(join(dirname(path), name)) : name, typeOnly: type !== undefined }
  })
  return { path, text, imports }
}

const sources = [...new Bun.Glob('{core,plugins,adapters}/**/*.ts').scanSync(root)].sort().map(read)
const under = (...folders: string[]) => sources.filter(({ path }) => folders.some((folder) => path.startsWith(folder)))

/** `file → what it must not import`, for every import that `allowed` does not let through. */
const strays = (files: readonly Source[], allowed: (target: string, source: Source, typeOnly: boolean) => boolean) =>
  files.flatMap((source) =>
    source.imports.filter(({ target, typeOnly }) => !allowed(target, source, typeOnly)).map(({ target }) => `${source.path} → ${target}`),
  )

const startsWith =
  (...prefixes: string[]) =>
  (target: string) =>
    prefixes.some((prefix) => target === prefix || target.startsWith(`${prefix}/`) || (prefix.endsWith(':') && target.startsWith(prefix)))

const TYPEBOX = '@sinclair/typebox'
const INFRASTRUCTURE = ['http', 'data', 'lib']
/** `core/orders/create.ts` → `orders`; the files directly in core compose the features and belong to none. */
const featureOf = (path: string) => {
  const [top, folder, file] = path.split('/')
  return top === 'core' && file !== undefined && !INFRASTRUCTURE.includes(folder!) ? folder : undefined
}
const featureFiles = sources.filter(({ path }) => featureOf(path) !== undefined)

test('an adapter imports its kind and its own folder, and no package', () => {
  const allowed = (target: string, { path }: Source) => {
    const [, kind, slug] = path.split('/')
    return startsWith(`serai/${kind}`, `adapters/${kind}/${slug}`)(target)
  }
  expect(strays(under('adapters/'), allowed)).toEqual([])
})

test('a plugin knows no feature', () => {
  expect(strays(under('plugins/'), startsWith('plugins', 'core/http', 'core/lib', 'elysia', TYPEBOX, 'node:', 'serai/carrier'))).toEqual([])
})

test('core/lib stands on nothing of ours, core/data on core/lib, core/http on both', () => {
  const ours = startsWith('core', 'plugins', 'adapters')
  expect(strays(under('core/lib/'), (target) => !ours(target) || startsWith('core/lib')(target))).toEqual([])
  expect(strays(under('core/data/'), (target) => !ours(target) || startsWith('core/data', 'core/lib')(target))).toEqual([])
  const beneath = startsWith('core/http', 'core/data', 'core/lib', 'core/config.ts', 'package.json')
  expect(
    strays(under('core/http/'), (target, _, typeOnly) => !ours(target) || beneath(target) || (typeOnly && target === 'core/context.ts')),
  ).toEqual([])
})

test('core knows the kinds and no brand', () => {
  expect(strays(under('core/'), (target) => !target.startsWith('adapters'))).toEqual([])
})

test('only the composing files know all features: a feature imports neither them nor the process', () => {
  const shared = ['core/config.ts', 'core/context.ts']
  expect(strays(featureFiles, (target) => !/^core\/[^/]+\.ts$/.test(target) || shared.includes(target))).toEqual([])
})

/**
 * Finders that a feature reads another feature's rows with. What an act would add is nothing but a name, so they may be imported,
 * here and nowhere else; anything that writes another feature's rows goes through that feature's acts.
 */
const sharedFinders: Readonly<Record<string, readonly string[]>> = {
  'core/auth/auth.queries.ts': ['findUserByEmail'],
  'core/catalog/products.queries.ts': ['findProducts', 'ProductRow'],
  'core/integrations/integrations.queries.ts': ['findAccount', 'findAccountByKey', 'listAccounts'],
  'core/integrations/status-rules.queries.ts': ['findMeaning'],
  'core/orders/orders.queries.ts': ['OrderRow', 'findOrder'],
  'core/orders/weight.queries.ts': ['weightOf'],
  'core/parcels/parcels.queries.ts': ['ParcelRow', 'findByTracking', 'findLiveOfOrder', 'findParcel', 'findParcelOf', 'listAppliedEvents'],
  'core/projects/projects.queries.ts': ['findProject'],
  'core/stores/stores.queries.ts': ['findRole', 'findStore'],
}

test("a feature reaches another feature's rows through its acts and models, or through a finder that is listed", () => {
  const foreign = featureFiles.flatMap(({ path, text }) =>
    [...text.matchAll(/^import\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/gm)].flatMap(([, names, specifier]) => {
      const target = normalize(join(dirname(path), specifier!))
      const isForeign = specifier!.startsWith('.') && featureOf(target) !== undefined && featureOf(target) !== featureOf(path)
      if (!isForeign || !/\.(queries|routes)\.ts$/.test(target)) return []
      return names!
        .split(',')
        .map((name) => name.replace(/\btype\b|\bas\b.*/g, '').trim())
        .filter(Boolean)
        .map((name) => ({ path, target, name }))
    }),
  )
  expect(
    foreign
      .filter(({ target, name }) => !sharedFinders[target]?.includes(name))
      .map(({ path, target, name }) => `${path} → ${target} ${name}`),
  ).toEqual([])
  const used = new Set(foreign.map(({ target, name }) => `${target} ${name}`))
  expect(
    Object.entries(sharedFinders)
      .flatMap(([target, names]) => names.map((name) => `${target} ${name}`))
      .filter((each) => !used.has(each)),
  ).toEqual([])
})

test('queries import their model and what carries them', () => {
  const queries = sources.filter(({ path }) => path.endsWith('.queries.ts'))
  const carried = startsWith('core/data', 'core/lib', 'core/http/scopes.ts', 'core/http/schema.ts', 'plugins/carrier/model.ts')
  const sameFeature = (target: string, path: string) => dirname(target) === dirname(path)
  const allowed = (target: string, { path }: Source, typeOnly: boolean) =>
    !target.startsWith('core') && !target.startsWith('plugins')
      ? target !== 'elysia'
      : carried(target) || sameFeature(target, path) || (typeOnly && target.endsWith('.model.ts'))
  expect(strays(queries, allowed)).toEqual([])
})

test('SQL stands in queries, in core/data and where core/http keeps rows of its own', () => {
  const mayHold = /\.queries\.ts$|^core\/data\/|^core\/http\/(idempotency|resource|reference\.routes)\.ts$/
  const SQL = /(?<!`)\b(sql|tx)(<[^`]*?>)?`/
  expect(sources.filter(({ path, text }) => SQL.test(text) && !mayHold.test(path)).map(({ path }) => path)).toEqual([])
})

test('Elysia is known to routes, models, core/http, the app and the plugins', () => {
  const mayKnow = /\.(routes|model)\.ts$|^core\/http\/|^core\/app\.ts$|^plugins\//
  const knowing = sources.filter(
    ({ path, imports }) => !mayKnow.test(path) && imports.some(({ target, typeOnly }) => target === 'elysia' && !typeOnly),
  )
  expect(knowing.map(({ path }) => path)).toEqual([])
})

test('files stay short, hold one idea, and are named after it', () => {
  const data = /^core\/geo\/data\//
  const long = sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > 350 && !data.test(path))
  expect(long).toEqual([])
  const vague = /(^|\/|\.)(utils?|helpers?|common|types|constants|misc)(\.ts$|\/)/
  expect(sources.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([])
})

test('the environment is read where settings are', () => {
  // PostgreSQL's own process inherits the environment; nothing is read from it.
  const mayRead = ['core/config.ts', 'core/main.ts', 'core/data/embedded.ts']
  expect(
    sources.filter(({ path, text }) => /\b(process|Bun)\.env\b/.test(text) && !mayRead.includes(path)).map(({ path }) => path),
  ).toEqual([])
})

test('migrations are lower case and numbered once each, without gaps', () => {
  const names = readdirSync(join(root, 'migrations')).sort()
  expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))).toEqual([])
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1))
  const withoutTexts = (name: string) =>
    readFileSync(join(root, 'migrations', name), 'utf8')
      .replace(/--.*$/gm, '')
      .replace(/'[^']*'|"[^"]*"/g, '')
  expect(names.filter((name) => /[A-Z]/.test(withoutTexts(name)))).toEqual([])
})

test('no source folder stands beside the known ones', () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules',
  )
  // Bun keeps its corrections of packages in `patches`.
  const known = ['core', 'plugins', 'adapters', 'migrations', 'test', 'patches']
  expect(folders.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})
