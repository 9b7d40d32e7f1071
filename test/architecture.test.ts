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

/** Browser code of the console, which has rules of its own. */
const WEB = 'core/console/web/'
const all = [...new Bun.Glob('{core,plugins,adapters}/**/*.{ts,tsx}').scanSync(root)].sort().map(read)
const sources = all.filter(({ path }) => !path.startsWith(WEB))
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
/** Lower domains first; the order within each is that of the list. */
const domains = [
  'platform',
  'identity',
  'shop',
  'integrations',
  'logistics',
  'orders',
  'fulfilment',
  'money',
  'insights',
  'connectors',
  'assistant',
  'console',
]
/** Folders of all features: the nearest `feature.ts` above a file is that of its feature. */
const featureFolders = sources
  .flatMap(({ path }) => /^core\/(.+)\/feature\.ts$/.exec(path)?.[1] ?? [])
  .toSorted((a, b) => b.length - a.length)
/** `core/orders/create/create.ts` → `orders`; files in `core` itself compose the features and belong to none. */
const featureOf = (path: string) => featureFolders.find((folder) => path.startsWith(`core/${folder}/`))
const featureFiles = sources.filter(({ path }) => featureOf(path) !== undefined)

/** The folders of all features, in the order of `core/features.ts`. */
function listed(): string[] {
  const text = readFileSync(join(root, 'core/features.ts'), 'utf8')
  const folderOf = new Map(
    [...text.matchAll(/^import (\w+) from '\.\/([\w/-]+)\/feature\.ts'$/gm)].map(([, name, folder]) => [name!, folder!]),
  )
  const list = /= \[\n([^\]]*)\n\]/.exec(text)?.[1] ?? ''
  return list.split(',').flatMap((name) => folderOf.get(name.trim()) ?? [])
}

test('an adapter imports its kind and its own folder, and no package', () => {
  const allowed = (target: string, { path }: Source) => {
    const [, kind, slug] = path.split('/')
    return startsWith(`serai/${kind}`, `adapters/${kind}/${slug}`)(target)
  }
  expect(strays(under('adapters/'), allowed)).toEqual([])
})

const RUNTIME = 'plugins/host/sandbox/runtime.ts'
/** Modules of Node that the bundler replaces by code of its own. */
const HAS_IN_SANDBOX: readonly string[] = []

test('a plugin knows no feature', () => {
  expect(
    strays(
      under('plugins/'),
      startsWith(
        'plugins',
        'core/http',
        'core/lib',
        'elysia',
        TYPEBOX,
        'node:',
        'serai/carrier',
        'serai/connector',
        'serai/payment',
        'serai/spreadsheet',
        'serai/ads',
        'serai/model',
        're2js',
        'eventsource-parser',
      ),
    ),
  ).toEqual([])
})

test('code that runs in a sandboxed process imports no module of Node that it cannot have there', () => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const entries = [...byPath.keys()].filter((path) => path === RUNTIME || /^plugins\/[a-z]+\/index\.ts$/.test(path))
  const reached = new Set(entries)
  for (const path of reached)
    for (const { target, typeOnly } of byPath.get(path)?.imports ?? []) if (!typeOnly && byPath.has(target)) reached.add(target)
  expect(reached.size).toBeGreaterThan(entries.length)
  const isForbidden = (target: string) => target.startsWith('node:') && !HAS_IN_SANDBOX.includes(target)
  expect(
    strays(
      sources.filter(({ path }) => reached.has(path)),
      (target, _, typeOnly) => typeOnly || !isForbidden(target),
    ),
  ).toEqual([])
})

test('core/lib stands on nothing of ours, core/data on core/lib, core/http on both', () => {
  const ours = startsWith('core', 'plugins', 'adapters')
  expect(strays(under('core/lib/'), (target) => !ours(target) || startsWith('core/lib')(target))).toEqual([])
  expect(strays(under('core/data/'), (target) => !ours(target) || startsWith('core/data', 'core/lib')(target))).toEqual([])
  // What schemas are written with is the same for adapters and for us.
  const beneath = startsWith('core/http', 'core/data', 'core/lib', 'core/config.ts', 'plugins/schema.ts', 'package.json')
  expect(
    strays(under('core/http/'), (target, _, typeOnly) => !ours(target) || beneath(target) || (typeOnly && target === 'core/context.ts')),
  ).toEqual([])
})

test('the browser code of the console imports itself and its few packages, and nothing imports it', () => {
  const packages = ['preact', '@preact/signals', '@tanstack/preact-query', 'wouter-preact', 'openapi-fetch', 'serai:api', 'serai:rights']
  const web = all.filter(({ path }) => path.startsWith(WEB))
  expect(web.length).toBeGreaterThan(40)
  expect(strays(web, startsWith(...packages, WEB.slice(0, -1)))).toEqual([])
  expect(strays(sources, (target) => !target.startsWith(WEB))).toEqual([])
})

test('the browser code of the console works over plain HTTP, where browsers hide what needs a secure context', () => {
  const hidden = /\bcrypto\.randomUUID\(|\bnavigator\.clipboard\./
  const calls = all.filter(({ path, text }) => path.startsWith(WEB) && hidden.test(text))
  expect(calls.map(({ path }) => path)).toEqual([])
})

test('the style sheets of the console name no side of the window: text also runs from right to left', () => {
  const sided =
    /(?<![\w-])(left|right|(?:margin|padding|border)-(?:left|right)[\w-]*|(?:text-align|float|clear)\s*:\s*(?:left|right))\s*[:;]/
  const styles = [...new Bun.Glob(`${WEB}**/*.css`).scanSync(root)].map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
  expect(styles.length).toBeGreaterThan(3)
  expect(styles.flatMap(([path, text]) => (sided.test(text) ? [`${path}: ${sided.exec(text)?.[0]}`] : []))).toEqual([])
})

test('core knows the kinds and no brand', () => {
  expect(strays(under('core/'), (target) => !target.startsWith('adapters'))).toEqual([])
})

test('only the composing files know all features: a feature imports neither them nor the process', () => {
  const shared = ['core/config.ts', 'core/context.ts', 'core/feature.ts']
  expect(strays(featureFiles, (target) => !/^core\/[^/]+\.ts$/.test(target) || shared.includes(target))).toEqual([])
})

test('each feature declares itself and is listed, domain by domain', () => {
  const folders = [...new Set(featureFiles.map(({ path }) => featureOf(path)!))].sort()
  expect(listed().toSorted()).toEqual(folders)
  expect(folders.filter((folder) => !sources.some(({ path }) => path === `core/${folder}/feature.ts`))).toEqual([])
  const order = listed().map((folder) => domains.indexOf(folder.split('/')[0]!))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})

test('a feature uses those listed before it; what has to go up is followed', () => {
  const order = listed()
  const climbs = featureFiles.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => order.indexOf(featureOf(target) ?? featureOf(path)!) > order.indexOf(featureOf(path)!))
      .map(({ target }) => `${path} → ${target}`),
  )
  expect(climbs).toEqual([])
})

test('payments: the engine knows neither orders nor subscriptions, which declare themselves as payables', () => {
  const declares = startsWith('core/money/payments/orders')
  const composes = ['core/money/payments/feature.ts', 'core/money/payments/checks.ts']
  const engine = under('core/money/payments/').filter(({ path }) => !declares(path) && !composes.includes(path))
  const knows = startsWith('core/orders', 'core/money/ledger', 'core/money/billing', 'core/money/payments/orders')
  expect(engine.length).toBeGreaterThan(20)
  expect(strays(engine, (target) => !knows(target))).toEqual([])
  // The names of the kinds, as the table has them.
  const naming = engine.filter(({ text }) => /'(?:order|subscription)'/.test(text))
  expect(naming.map(({ path }) => path)).toEqual(['core/money/payments/payments.model.ts'])
})

test('no file leads back to itself', () => {
  const graph = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (path: string, way: readonly string[]) => {
    if (state.get(path) === 'open') circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (state.has(path)) return
    state.set(path, 'open')
    for (const target of graph.get(path) ?? []) if (graph.has(target)) visit(target, [...way, path])
    state.set(path, 'done')
  }
  for (const path of graph.keys()) visit(path, [])
  expect(circles).toEqual([])
})

test('a table is written by one feature', () => {
  // The vault seals anew what others keep sealed, and changes nothing else of it.
  const sealedAnew = 'core/platform/vault/vault.queries.ts'
  // What nobody may need again is forgotten with what belongs to no feature.
  const houses: Readonly<Record<string, string>> = {
    'core/data/housekeeping.ts': 'core/http/idempotency.ts',
    'core/data/database/carry-over.ts': 'core/data/database/migrate.ts',
  }
  const WRITES = /\b(?:insert into|update|delete from)\s+([a-z_]+)\b(?=\s+(?:\(|set\b|where\b|\w+ set\b|\$\{|select\b|values\b|using\b))/g
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of sources.filter(({ path }) => path.startsWith('core/') && path !== sealedAnew))
    for (const [, table] of text.matchAll(WRITES))
      writers.set(table!, (writers.get(table!) ?? new Set()).add(featureOf(path) ?? houses[path] ?? path))
  expect(writers.size).toBeGreaterThan(30)
  expect([...writers].filter(([, by]) => by.size > 1).map(([table, by]) => `${table}: ${[...by].join(', ')}`)).toEqual([])
})

/**
 * Finders that a feature reads another feature's rows with. What an act would add is nothing but a name, so they may be imported,
 * here and nowhere else; anything that writes another feature's rows goes through that feature's acts.
 */
const sharedFinders: Readonly<Record<string, readonly string[]>> = {
  'core/identity/auth/auth.queries.ts': ['findUserByEmail', 'hasUsers'],
  'core/identity/tenants/projects.queries.ts': ['findProject'],
  'core/identity/tenants/tenants.queries.ts': ['listTenantsOfUser'],
  'core/identity/users/users.queries.ts': ['countUnreadNotifications'],
  'core/money/billing/subscriptions.queries.ts': ['listPlansInForce'],
  'core/logistics/parcels/parcels.queries.ts': [
    'ParcelRow',
    'SHOWN_PARCEL_STATUS',
    'findParcelByReference',
    'findParcelByTracking',
    'findNewestLiveParcel',
    'listLiveParcelsOfOrder',
    'listOrdersWithLiveParcels',
    'listLiveParcelsInStore',
    'listParcels',
    'findParcel',
    'findParcelOfStore',
    'listNewestParcelEvents',
    'lockParcel',
    'lockParcels',
  ],
  'core/logistics/parcels/change/scans.queries.ts': ['ScanStep', 'listScanMarks'],
  'core/integrations/egress/traces.queries.ts': ['listTraces'],
  'core/platform/geo/geo.queries.ts': ['isCountry'],
  'core/money/ledger/entries/entries.queries.ts': ['listDependentRemittances', 'statedFeeExpression'],
  'core/money/gateway-payouts/payouts.queries.ts': ['sumMissingPaymentsByConnection', 'sumPayoutsByConnection'],
  'core/money/ledger/owed.queries.ts': [
    'OwedRow',
    'UnpaidSum',
    'owedColumns',
    'owedParcels',
    'sumBalancesByConnection',
    'sumOwedByConnection',
  ],
  'core/money/remittances/remittances.queries.ts': ['listRemittancesOfProject', 'sumRemittancesByConnection'],
  'core/platform/options/currencies.queries.ts': ['lockCurrencyForUse'],
  'core/money/payments/payments.queries.ts': ['findPaymentOfKind', 'listPaymentPage', 'listPaymentsAwaitingReview', 'listPaymentsUnderWay'],
  'core/orders/details/calls.queries.ts': ['listPastCalls'],
  'core/orders/orders.queries.ts': ['OrderRow', 'findOrder', 'findOrderById'],
  'core/orders/pricing/weight.queries.ts': ['orderWeightOf'],
  'core/shop/catalog/products.queries.ts': ['findProducts', 'findProductsByText', 'fromProducts', 'listProducts'],
  'core/integrations/connections/connections.queries.ts': [
    'SyncState',
    'findConnection',
    'findConnectionById',
    'findConnectionByKey',
    'findConnectionRef',
    'listConnections',
    'listConnectionsOfKinds',
  ],
  'core/shop/stores/blocks/blocks.queries.ts': ['BlockKeys', 'MatchingBlock', 'listMatchingBlocks'],
  'core/shop/stores/stores.queries.ts': ['findCurrency', 'findStore', 'findStoreOfProject', 'listMembershipsOfUser'],
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
  const carried = startsWith(
    'core/data',
    'core/lib',
    'core/http/auth/scopes.ts',
    'core/http/schema.ts',
    'plugins/carrier/model.ts',
    'plugins/model/model.ts',
    'plugins/payment/model.ts',
  )
  const sameFeature = (target: string, path: string) => featureOf(target) !== undefined && featureOf(target) === featureOf(path)
  const allowed = (target: string, { path }: Source, typeOnly: boolean) =>
    !target.startsWith('core') && !target.startsWith('plugins')
      ? target !== 'elysia'
      : carried(target) || sameFeature(target, path) || (typeOnly && target.endsWith('.model.ts')) || target in sharedFinders
  expect(strays(queries, allowed)).toEqual([])
})

test('a country is data: nothing outside its folder knows one', () => {
  // How currencies and phone numbers of many countries are written.
  const written = [
    'core/lib/phone-ranges.ts',
    'core/lib/money/currency-marks.ts',
    'core/lib/money/parse-number.ts',
    'core/logistics/labels/rendering/layout.ts',
  ]
  const KNOWING = /\bdzd?\b|wilaya|algeri|\b213\b/i
  const mayKnow = (path: string) => path.startsWith('core/platform/geo/countries/dz/') || written.includes(path)
  const withoutImports = (text: string) => text.replace(/^import .*countries\/dz\/.*$/gm, '')
  const kept = [...new Bun.Glob('core/**/*.json').scanSync(root)].map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const all = [...under('core/'), ...kept]
  const knowing = all.filter(({ path, text }) => !mayKnow(path) && KNOWING.test(withoutImports(text)))
  // The list of countries names each.
  expect(knowing.map(({ path }) => path)).toEqual(['core/platform/geo/countries/index.ts'])
  const importing = sources.filter(({ path, imports }) => !mayKnow(path) && imports.some(({ target }) => target.includes('/countries/dz/')))
  expect(importing.map(({ path }) => path).filter((path) => !path.startsWith('test/'))).toEqual(['core/platform/geo/countries/index.ts'])
})

test('SQL stands in queries, in core/data and where core/http keeps rows of its own', () => {
  const mayHold = /\.queries\.ts$|^core\/data\/|^core\/http\/(idempotency|health\.routes)\.ts$/
  const SQL = /(?<!`)\b(sql|tx)(<[^`]*?>)?`/
  expect(sources.filter(({ path, text }) => SQL.test(text) && !mayHold.test(path)).map(({ path }) => path)).toEqual([])
})

test('Elysia is known to routes, models, core/http, the app and the plugins', () => {
  // The macros that open stores to routes, and the routes that all imports of sheets have.
  const mayKnow =
    /\.(routes|model)\.ts$|^core\/http\/|^core\/shop\/(stores\/authority|imports\/import-routes)\.ts$|^core\/app\.ts$|^plugins\//
  const knowing = sources.filter(
    ({ path, imports }) => !mayKnow.test(path) && imports.some(({ target, typeOnly }) => target === 'elysia' && !typeOnly),
  )
  expect(knowing.map(({ path }) => path)).toEqual([])
})

test("architecture: a request's principal is passed on as it is; routes declare access, and only credentials and stores decide on it", () => {
  // What a plugin's operation needs is known once it is known which adapter is meant. Users are shown who they are.
  const mayAsk =
    /^core\/(http|identity)\/|^core\/shop\/stores\/access\.ts$|^core\/integrations\/operations\/plugin-host\.ts$|^core\/console\/me\/read-me\.ts$/
  // Any look into a caller, and any name of core/http/auth/principal.ts that is made for one.
  const LOOKS =
    /\b(?:caller|principal)\??\.(?!ts')\w|\{[^{}]*\} = (?:\w+\.)?(?:caller|principal)\b|\b(?:caller|principal): \{|\.credentialId\b/
  const ASKING = ['Person', 'canUse', 'assertCanUse', 'isKeyOfProject']
  const looking = sources.filter(({ path }) => path.startsWith('core/') && !mayAsk.test(path))
  expect(looking.filter(({ text }) => LOOKS.test(text)).map(({ path }) => path)).toEqual([])
  const named = looking.flatMap(({ path, text }) =>
    [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '[./]*http\/auth\/principal\.ts'/gm)]
      .flatMap(([, names = '']) => names.split(',').map((name) => name.replace(/\btype\b/, '').trim()))
      .filter((name) => ASKING.includes(name))
      .map((name) => `${path} ${name}`),
  )
  expect(named).toEqual([])
})

test('no handler begins by asking for access: its route names a macro that did', () => {
  const routes = sources.filter(({ path }) => path.startsWith('core/') && path.endsWith('.routes.ts'))
  const asking = routes.filter(
    ({ imports, text }) =>
      imports.some(({ target, typeOnly }) => target === 'core/shop/stores/access.ts' && !typeOnly) &&
      /\b(accessStore|accessProduct|resolveStore|accessStorefront)\b/.test(text),
  )
  expect(routes.length).toBeGreaterThan(10)
  expect(asking.map(({ path }) => path)).toEqual([])
})

test('files stay short, hold one idea, and are named after it', () => {
  const long = sources.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })).filter(({ lines }) => lines > 300)
  expect(long).toEqual([])
  const vague = /(^|\/|\.)(utils?|helpers?|common|types|constants|misc)(\.ts$|\/)/
  expect(sources.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([])
})

test('a folder of the core holds at most fifteen files', () => {
  const counts = new Map<string, number>()
  for (const { path } of under('core/')) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  expect([...counts].filter(([, count]) => count > 15).map(([folder, count]) => `${folder}: ${count}`)).toEqual([])
})

test('the compiler is talked out of what it knows in few places', () => {
  const casts = under('core/', 'plugins/').flatMap(({ path, text }) => [...text.matchAll(/\)? as (?:never|unknown as)\b/g)].map(() => path))
  expect(casts.length).toBeLessThan(10)
})

test('nothing in production is there for tests', () => {
  const serving = /\b[Ff]or tests\b|\bin tests\b|\b[Tt]ests (?:replace|set|use)\b/
  const mayName = /^plugins\/(?:[\w-]+\/)?(?:acceptance|template)\//
  expect(
    under('core/', 'plugins/')
      .filter(({ path, text }) => !mayName.test(path) && serving.test(text))
      .map(({ path }) => path),
  ).toEqual([])
})

/**
 * Modules with functions that set something for the whole process. They take what all features declare, once, when the process starts; fair
 * waiting takes how the owner of the current work is found, because it also runs where adapters are and no async context is.
 */
const settingAtStart = [
  'core/data/personal-data/personal-data.ts',
  'core/data/subscribers.ts',
  'core/lib/async/yield-every.ts',
  'core/platform/webhooks/events.ts',
  'core/shop/attention/attention-source.ts',
]

test('a module keeps nothing that others register in it, except what all features declare at the start', () => {
  // An exported function that assigns a variable of the module, or adds its own argument to a map of the module.
  const registers = ({ text }: Source) => {
    const names = [...text.matchAll(/^(?:let|const) (\w+)(?=\b.* = (?:new (?:Map|Set)|\[|\{)|(?<=^let \w+))/gm)].map(([, name]) => name!)
    const setters = [...text.matchAll(/^export (?:const|function) (?:set|register|declare|observe|on|add)[A-Z]\w*[\s\S]*?^\}/gm)]
    return setters.some(([body]) => names.some((name) => new RegExp(`\\b${name} = |\\b${name}\\.(?:set|add|push)\\(`).test(body)))
  }
  // The catalogues of countries are a cache, and source maps belong to the bundles that this process made.
  const caches = ['core/platform/geo/catalogue/catalogues.ts', 'plugins/host/source-maps.ts']
  expect(sources.filter((source) => registers(source) && !caches.includes(source.path)).map(({ path }) => path)).toEqual(settingAtStart)
})

/** Names that a file adds to an interface of the context. */
const declaredIn = ({ text }: Source, name: 'Services' | 'Provided') => {
  const [, declared = ''] = new RegExp(`interface ${name} \\{\\n([^}]*)\\n {2}\\}`).exec(text) ?? []
  return [...declared.matchAll(/^ {4}readonly (\w+):/gm)].map(([, each]) => each!)
}

test('a service is opened by the feature that declares it', () => {
  const openingOf = (path: string) => {
    const text = sources.find((other) => other.path === `core/${featureOf(path)}/feature.ts`)?.text ?? ''
    return text.slice(text.indexOf('setup'))
  }
  const foreign = sources.flatMap((source) =>
    declaredIn(source, 'Services')
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(openingOf(source.path)))
      .map((name) => `${source.path} ${name}`),
  )
  expect(foreign).toEqual([])
})

test('a function that a feature needs from above is provided once, by a feature listed later or by the process', () => {
  const order = listed()
  const providers = [...order.map((folder) => `core/${folder}/feature.ts`), 'core/process.ts']
  const PROVIDING = /\bprovides: \{([^}]*)\}|\.\.\.gatherProvided\(\),\s+([^}]*)\}/
  const providedBy = (name: string) =>
    sources.filter(({ path, text }) => {
      const [, listedThere, composed] = PROVIDING.exec(text) ?? []
      return providers.includes(path) && new RegExp(`\\b${name}:`).test(listedThere ?? composed ?? '')
    })
  const declared = sources.flatMap((source) => declaredIn(source, 'Provided').map((name) => ({ name, path: source.path })))
  expect(declared.length).toBeGreaterThan(1)
  const wrong = declared.filter(({ name, path }) => {
    const [by, another] = providedBy(name).map((source) => providers.indexOf(source.path))
    return by === undefined || another !== undefined || by <= order.indexOf(featureOf(path) ?? '')
  })
  expect(wrong).toEqual([])
})

test('a feature changes no service of another while it opens', () => {
  const changing = sources.filter(({ path, text }) => {
    if (!path.endsWith('/feature.ts')) return false
    const setup = /\bsetup\b[\s\S]*?(?=\n {2}\w+[:(]|\n {2}async \w+\()/.exec(text)?.[0] ?? ''
    const given =
      /\(\{([^}]*)\}\)/
        .exec(setup)?.[1]
        ?.split(',')
        .map((name) => name.trim().split(':')[0]!) ?? []
    return given.some(
      (name) => name && new RegExp(`\\b${name}\\.(?:set\\w*|on[A-Z]\\w*|add|push|register\\w*)\\(|\\b${name}\\.\\w+ = `).test(setup),
    )
  })
  expect(changing.map(({ path }) => path)).toEqual([])
})

test('the environment is read where settings are', () => {
  // PostgreSQL's own process inherits the environment; nothing is read from it.
  // The bundler replaces a name of the environment in browser code; it reads none.
  const mayRead = ['core/console/shell/bundle.ts', 'core/config.ts', 'core/main.ts', 'core/data/database/embedded.ts']
  expect(
    sources.filter(({ path, text }) => /\b(process|Bun)\.env\b/.test(text) && !mayRead.includes(path)).map(({ path }) => path),
  ).toEqual([])
})

test('migrations are lower case and numbered once each', () => {
  // The script that carries an older database over is none of the numbered ones.
  const names = readdirSync(join(root, 'migrations'))
    .filter((name) => name !== 'carry-over')
    .sort()
  expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))).toEqual([])
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length)
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
  const known = ['core', 'plugins', 'adapters', 'migrations', 'test', 'patches', 'docs']
  expect(folders.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

test('pointers into a request and statuses are made at the edge: a use case names its own fields', () => {
  const POINTER = /['"`]\/(?:body|query)(?:\/|['"`])/
  const mayPoint = /^core\/http\/|\.routes\.ts$/
  const pointing = sources.filter(({ path, text }) => !mayPoint.test(path) && POINTER.test(text))
  expect(pointing.map(({ path }) => path)).toEqual([])
  // Rows of batches show what a request for the row alone would get; the others answer in protocols and pages of their own.
  const mayKnow = [
    'core/fulfilment/sending/send-order.ts',
    'core/fulfilment/bulk/steps/row-failure.ts',
    'core/orders/change/batch-update.ts',
    'core/identity/oauth/authorize/authorize.ts',
    'core/identity/oauth/response.ts',
    'core/identity/social/pages/pages.ts',
    'core/platform/files/content.ts',
    'core/reference/meanings/platform.ts',
  ]
  const knowing = featureFiles.filter(
    ({ path, imports }) =>
      !/\.(routes|model)\.ts$/.test(path) &&
      !mayKnow.includes(path) &&
      imports.some(({ target }) => target.startsWith('core/http/errors/')),
  )
  expect(knowing.map(({ path }) => path)).toEqual([])
})

/** Features that throw an error whose sentence was made elsewhere, and what makes it. */
const relaying: Readonly<Record<string, string>> = {
  'core/connectors/order-import/read-order.ts': 'what a cell of a sheet says, in parse-number.ts and read-goods.ts',
  'core/connectors/order-import/import-order.ts': 'the schema that an imported order must match',
  'core/identity/apps/apps.ts': 'redirect-uris.ts, which also answers in the protocol of RFC 7591',
  'core/integrations/connections/calls/adapter-failures.ts': 'an adapter',
  'core/integrations/connections/connection.ts': 'the table of sentences; the code is that of a kind',
  'core/integrations/connections/social-clients.ts': 'an adapter',
  'core/logistics/parcels/lifecycle/wait-for-outcomes.ts': 'an adapter, whose sentence the parcel keeps',
  'core/money/payments/start/open-checkout.ts': 'a gateway, whose sentence the payment keeps',
  'core/money/remittances/sheet/reader.ts': 'a worker',
  'core/orders/stock/stock.ts': 'the inventory, with the fields of an order',
  'core/shop/catalog/rounded-skus.ts': 'what a cell of a sheet says, in parse-number.ts',
  'core/shop/catalog/sheets/apply-row.ts': 'the schema of a product, and parse-number.ts',
  'core/shop/catalog/sheets/parse-row.ts': 'what a cell of a sheet says, in parse-number.ts',
  'core/shop/imports/reader.ts': 'a worker',
}

const withoutTables = under(...domains.map((domain) => `core/${domain}/`)).filter(({ path }) => !path.endsWith('.errors.ts'))

test('errors are built by the tables of the features, a code and a sentence each', () => {
  const building = withoutTables.filter(({ text }) => /\bnew DomainError\(/.test(text)).map(({ path }) => path)
  expect(building).toEqual([])
  const passing = withoutTables.filter(({ text }) => /\b(?:relayError|invalidField)\(/.test(text)).map(({ path }) => path)
  expect(passing.toSorted()).toEqual(Object.keys(relaying).toSorted())
})

test('a sentence of an error is written in a table, and in one of them alone', () => {
  const CALLS = /\b(?:relayError|invalidField|notEnabledError)\((?:[^()]|\([^()]*\))*?(?:,|\()\s*['"`](?=[A-Z])/
  expect(withoutTables.filter(({ text }) => CALLS.test(text)).map(({ path }) => path)).toEqual([])
  const tables = sources.filter(({ path }) => path.endsWith('.errors.ts') || path === 'core/lib/errors/shared-errors.ts')
  const SENTENCE = /^ {2}\w+: \[\s*'\w+',\s*(?:\(\{[^}]*\}: Values<[^>]*>\) =>\s*)?(['"`])((?:\\.|(?!\1).)*)\1/gms
  const written = tables.flatMap(({ path, text }) => [...text.matchAll(SENTENCE)].map(([, , sentence = '']) => ({ path, sentence })))
  expect(written.length).toBeGreaterThan(500)
  const bySentence = Map.groupBy(written, ({ sentence }) => sentence)
  expect([...bySentence].filter(([, found]) => found.length > 1).map(([sentence]) => sentence)).toEqual([])
  const tooLong = written.flatMap(({ sentence }) => sentence.split(/(?<=[.!?]) (?=[A-Z])/)).filter((each) => each.split(' ').length > 25)
  expect(tooLong).toEqual([])
})
