import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')

/** Words that `docs/glossary.md` replaced: no exported name contains one of them as a word of its own. */
const RETIRED = [
  'house',
  'district',
  'traveller',
  'wayout',
  'parting',
  'partings',
  'leftbehind',
  'breather',
  'inpieces',
  'surely',
  'unhurried',
  'twin',
  'oddity',
  'tidings',
  'wish',
  'turnstile',
  'stranger',
  'strangers',
  'comeback',
  'himself',
  'whose',
  'letters',
]

/** Words that begin a clause, not a name and not a sentence about one. */
const CLAUSES = [
  'what',
  'who',
  'whose',
  'whom',
  'where',
  'whether',
  'which',
  'why',
  'how',
  'when',
  'those',
  'nobody',
  'whoever',
  'whatever',
]

/** Participles and forms of homely verbs: none of them begins a function's name, alone or before a noun. */
const PARTICIPLES = [
  'told',
  'said',
  'kept',
  'held',
  'taken',
  'given',
  'shown',
  'looked',
  'heard',
  'left',
  'gone',
  'begun',
  'meant',
  'says',
  'tells',
  'keeps',
  'holds',
  'takes',
  'gives',
  'knows',
  'leaves',
  'comes',
  'goes',
  'looks',
  'hears',
]

/** Words that are no name by themselves. */
const PARTICLES = ['again', 'beside', 'several', 'about', 'within', 'without', 'together', 'once', 'later', 'bare', 'wrong', 'oneself']

/** Names that break a rule for a reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  listing: 'a noun: what a list of rows is sorted, filtered and searched by',
}

/** Functions of the toolkits that adapters import. Their names are part of the published contract. */
const PUBLISHED = [
  'hashed',
  'printed',
  'rewritten',
  'named',
  'remembered',
  'recalled',
  'together',
  'required',
  'quoted',
  'typed',
  'described',
  'written',
]

interface Export {
  readonly path: string
  readonly name: string
  readonly isFunction: boolean
  readonly isDocumented: boolean
}

const EXPORT =
  /(\*\/\s*\n)?(?:\/\/ biome-ignore[^\n]*\n)?^export (?:async |abstract |declare )*(function\*?|const|interface|type|class) (\w+)([^\n]*)/gm
const FUNCTION = /^\s*(?::[^=]*)?=\s*(?:async\s*)?(?:<[^>]*>\s*)?\(|^[^=]*=\s*(?:async\s+)?\w+\s*=>|^\s*:\s*\(/

const sources = [...new Bun.Glob('{core,plugins,adapters}/**/*.{ts,tsx}').scanSync(root)]
  .filter((path) => !path.includes('/template/') && !path.endsWith('.d.ts'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const exports: readonly Export[] = sources.flatMap(({ path, text }) =>
  [...text.matchAll(EXPORT)].map(([, doc, keyword = '', name = '', rest = '']) => ({
    path,
    name,
    isFunction: keyword.startsWith('function') || (keyword === 'const' && FUNCTION.test(rest)),
    isDocumented: doc !== undefined,
  })),
)

/** `findParcelOfStore` → `find`, `parcel`, `of`, `store`. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/)

const breaking = (isBroken: (found: Export) => boolean) =>
  exports
    .filter((found) => !(found.name in EXCEPTIONS) && !(found.path.startsWith('plugins/') && PUBLISHED.includes(found.name)))
    .filter(isBroken)
    .map(({ path, name }) => `${path} ${name}`)

/** Comments of a source as sentences, with their lines. */
function commentsOf({ path, text }: (typeof sources)[number]) {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map((match) => ({
    at: `${path}:${text.slice(0, match.index).split('\n').length}`,
    sentence: (match[1] ?? '')
      .replace(/\s*\n\s*\*?\s*/g, ' ')
      .replace(/^\s*\*?\s*/, '')
      .trim(),
  }))
}

describe('names', () => {
  test('names: a function begins with a verb or is a noun, never a clause, a participle or a particle', () => {
    const isBroken = ({ name, isFunction }: Export) => {
      if (!isFunction) return false
      const [first = '', ...others] = wordsOf(name)
      if (CLAUSES.includes(first) || PARTICIPLES.includes(first)) return true
      return others.length === 0 && (PARTICLES.includes(first) || (/(?:[^e]ed|tten)$/.test(first) && first.length > 4))
    }
    expect(exports.length).toBeGreaterThan(5_000)
    expect(breaking(isBroken)).toEqual([])
  })

  test('names: no export uses a word that the glossary retired', () => {
    const isRetired = ({ name }: Export) => {
      const words = wordsOf(name)
      return words.some((word, at) => RETIRED.includes(word) || RETIRED.includes(word + (words[at + 1] ?? '')))
    }
    expect(breaking(isRetired)).toEqual([])
  })

  test('names: a boolean among several arguments is an option with a name', () => {
    // A parameter after or before another one. Members of types are separated by semicolons, so they do not match.
    const POSITIONAL = /,\s*\w+\??: boolean(?: \| undefined)?\s*[,)]|\(\s*\w+\??: boolean(?: \| undefined)?,\s*\w/g
    const DEFAULTED = /\([^(){}]*,\s*\w+ = (?:true|false)\s*\)/g
    const found = sources.flatMap(({ path, text }) =>
      [POSITIONAL, DEFAULTED].flatMap((pattern) =>
        [...text.matchAll(pattern)].map(
          ({ 0: parameter, index }) => `${path}:${text.slice(0, index).split('\n').length} ${parameter.trim()}`,
        ),
      ),
    )
    expect(found).toEqual([])
  })

  test('names: no file is named by a clause, a participle or a particle', () => {
    const banned = [...CLAUSES, ...PARTICIPLES, ...PARTICLES]
    const stem = (path: string) => (path.split('/').at(-1) ?? '').split('.')[0] ?? ''
    expect(sources.filter(({ path }) => banned.includes(stem(path).split('-')[0] ?? '')).map(({ path }) => path)).toEqual([])
  })
})

describe('names in the database and between features', () => {
  /** Keys that all features add to an interface by declaration merging. */
  const keysOf = (name: string) =>
    sources.flatMap(({ text }) =>
      [...text.matchAll(new RegExp(`^  interface ${name} \\{\n([\\s\\S]*?)^  \\}`, 'gm'))].flatMap(([, body = '']) =>
        [...body.matchAll(/^ {4}'([\w.-]+)':/gm)].map(([, key = '']) => key),
      ),
    )

  test('names: a domain event is a noun and a verb in the past tense', () => {
    const events = keysOf('DomainEvents')
    expect(events.length).toBeGreaterThan(25)
    expect(events.filter((event) => !/^[a-z]+\.(?:[a-z]+_)*(?:[a-z]+ed|chosen|signed_in)$/.test(event))).toEqual([])
  })

  test('names: a background job belongs to a domain of the glossary and says what it does', () => {
    const jobs = keysOf('Jobs')
    expect(jobs.length).toBeGreaterThan(80)
    const HOMELY = /^(?:channels|gateway|people|cash)\.|\.(?:tell|settle|part|turn|forget|look|hear|keep|give|make|end|draw)(?![a-z])/
    expect(jobs.filter((job) => !/^[a-z]+\.[a-z]+(?:[A-Z][a-z]+)*$/.test(job) || HOMELY.test(job))).toEqual([])
  })
})

describe('comments', () => {
  test('comments: no doc comment begins with a clause', () => {
    const CLAUSE = /^(?:What|Who|Whose|Whom|Where|Whether|Which|How|When|The same|Those|That|Nobody|Whoever|Whatever)\b/
    const found = sources.flatMap(commentsOf)
    expect(found.length).toBeGreaterThan(6_000)
    expect(found.filter(({ sentence }) => CLAUSE.test(sentence)).map(({ at, sentence }) => `${at} ${sentence.slice(0, 60)}`)).toEqual([])
  })

  test('comments: everything that a feature or a plugin exports has one', () => {
    const isPublic = (path: string) => /^(?:plugins|core\/\w+)\//.test(path)
    expect(breaking(({ path, isDocumented }) => isPublic(path) && !isDocumented)).toEqual([])
  })

  test('comments: users, customers and callers are "they"', () => {
    const speaking = sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, at) => (/\b(?:he|him|his|himself|she|whoever)\b/i.test(line.replace(/'[^']*'/g, '')) ? [`${path}:${at + 1}`] : [])),
    )
    expect(speaking).toEqual([])
  })
})

/** Verbs that make a sentence of a title, in the forms in which titles have them. Add the verb of a new title where it is missing. */
const VERBS = `
  accepts acts add adds administers agree agrees allows answer answers are arrive arrives asks be become becomes begin begins believes
  belong belongs binds breaks brings buys calls can cancel cancels cannot carries carry catches change changes checks choices choose
  chooses collects come comes compares conserves contain contains costs count counts covers crash create creates cross crosses decide
  decides delay delays delete deletes delivers did disables divides do does draws drops end ends enter enters equal fail fails fall falls
  fill find finds fits follow follows forgives forks get gets give gives go goes granted grants had hand hands happens has have hear hides
  hold holds honours identifies identify ignore ignores imports is join joins judge keep keeps know knows lead leads learn learns leave
  leaves let lets link list lists lives loads log logs look looks lose loses make makes match matches may move moves must name names need
  needs open opens orders pass passes pay pays post posts prints prove proves put puts queue queues reach reaches read reads refuse
  refuses register registers reject rejects renews repeat report reports reserve resolve resolves restore restores retries retry return
  returns reverse run runs says scans see sees send sends serve serves set sets settles shares show shows signs skip skips speak speaks
  stand stands start starts stay stays stop stops store stores subscribes succeeds survive survives take takes tell tells told touch trade
  update updates use uses verifies wait waits warns was were will work works would write writes written
`
  .trim()
  .split(/\s+/)

describe('titles of tests', () => {
  test('titles: a title reads as a sentence together with those of its groups', () => {
    const TITLE = /^( *)(describe|test)(?:\.\w+(?:\([^\n]*?\))?)*\((['"`])((?:\\.|(?!\3).)*)\3, /gm
    const titles = [...new Bun.Glob('test/**/*.test.ts').scanSync(root)].sort().flatMap((path) => {
      const groups: { readonly depth: number; readonly title: string }[] = []
      return [...readFileSync(join(root, path), 'utf8').matchAll(TITLE)].flatMap(([, indent = '', keyword, , title = '']) => {
        while ((groups.at(-1)?.depth ?? -1) >= indent.length) groups.pop()
        if (keyword === 'describe') groups.push({ depth: indent.length, title })
        return keyword === 'describe' ? [] : [`${path}: ${[...groups.map((group) => group.title), title].join(' ')}`]
      })
    })
    expect(titles.length).toBeGreaterThan(2_500)
    // A title with a placeholder is completed by its case.
    const withoutVerb = titles.filter(
      (title) =>
        !/%[sdp]|\$\{/.test(title) &&
        !title
          .slice(title.indexOf(': '))
          .toLowerCase()
          .split(/[^a-z]+/)
          .some((word) => VERBS.includes(word)),
    )
    expect(withoutVerb).toEqual([])
  })
})
