import { describe, expect, test } from 'bun:test'
import { readWorkbook } from '../../../../core/http/table/workbook.ts'
import { readXml } from '../../../../core/http/table/xml.ts'
import { DomainError } from '../../../../core/lib/errors/domain-error.ts'
import { WORKBOOK, zip } from '../../../support/cash.ts'
import { computedMs } from '../../../support/clock.ts'

const SHEET = 'xl/worksheets/sheet2.xml'
const STRINGS = 'xl/sharedStrings.xml'
const rowsOf = (parts: Readonly<Record<string, string>>) => readWorkbook(zip({ ...WORKBOOK, ...parts }), 1_000)[0]
/** What a row of these cells says. */
const cells = (xml: string, strings = '') => rowsOf({ [SHEET]: `<worksheet><row>${xml}</row></worksheet>`, [STRINGS]: strings })?.[0]
const text = (xml: string) => cells(`<c t="str"><v>${xml}</v></c>`)?.[0]

function refusal(read: () => unknown): string {
  try {
    return `It was taken: ${JSON.stringify(read())}`
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return `${error.code}: ${error.message}`
  }
}
const BROKEN = 'sheet_unreadable: The workbook is broken. Save it again as XLSX, or as CSV.'

describe('a text', () => {
  test.each([
    ['the five entities', 'A &amp; B &lt;C&gt; &quot;D&quot; &apos;E&apos;', 'A & B <C> "D" \'E\''],
    ['an entity that stands for the beginning of another, once', '&amp;lt; &amp;#65;', '&lt; &#65;'],
    ['characters by number', '&#233;&#xE9;&#x1F4E6;&#1605;', 'éé📦م'],
    ['CDATA, in which nothing is markup', '<![CDATA[<v>1</v> & co]]> SARL', '<v>1</v> & co SARL'],
    ['brackets in CDATA', '<![CDATA[a]]]]><![CDATA[>b]]>', 'a]]>b'],
    ['a comment in the middle', 'YAL<!-- </v><v>9 -->-1', 'YAL-1'],
    ['a comment with tags that are none', '<!--<c><v>--> 7', ' 7'],
    ['an instruction in the middle', 'YAL<?print </v> ?>-1', 'YAL-1'],
    ['a bare closing bracket', 'a > b', 'a > b'],
    ['line ends of every kind', 'a\r\nb\rc', 'a\nb\nc'],
    ['what spreadsheets write for a control', 'a_x0009_b_x000D__x0000_c', 'a\tb\rc'],
    ['an underscore that is one', 'a_x005F_x0041_', 'a_x0041_'],
  ])('with %s', (_, xml, said) => {
    expect(text(xml)).toBe(said)
  })

  test('as long as a cell may be is read, with an entity for every letter', () => {
    expect(text('&lt;'.repeat(32_767))).toHaveLength(32_767)
  })

  test('is joined from its runs, shared and inline, without how it is pronounced', () => {
    const runs =
      '<r><rPr><b/></rPr><t>YAL</t></r><r><t xml:space="preserve">- 1</t></r><rPh sb="0" eb="1"><t>no</t></rPh><phoneticPr fontId="1"/>'
    const strings = `<sst><si>${runs}</si><si/><si><t/></si><si><t><![CDATA[A&B]]></t></si></sst>`
    const shared = [0, 1, 2, 3, 9].map((at) => `<c t="s"><v>${at}</v></c>`).join('')
    expect(cells(`${shared}<c t="inlineStr"><is>${runs}</is></c>`, strings)).toEqual(['YAL- 1', '', '', 'A&B', '#VALUE!', 'YAL- 1'])
  })
})

describe('a tag', () => {
  test.each([
    ['attributes in any order and quotes', `<c t='str' s="1" r="B1"><v>x</v></c>`],
    ['spaces and line ends in it', '<c\n\tr = "B1"\r\n t\t=\n"str"\n><v\n>x</v ></c\t>'],
    ['a closing bracket in an attribute', '<c note="a > b" t="str" r="B1"><v>x</v></c>'],
    ['the other quotes in an attribute', `<c note=' r="Z1" ' other=" t='n' " t="str" r="B1"><v>x</v></c>`],
    ['an attribute whose name ends alike, and one of another namespace', '<c xr="Z1" x14:r="Y1" x14:t="n" r="B1" t="str"><v>x</v></c>'],
    ['entities in an attribute', '<c r="&#66;1" t="s&#116;r"><v>x</v></c>'],
    ['a prefix', '<x:c r="B1" t="str"><x:v>x</x:v></x:c>'],
    ['more inside a cell', '<c r="B1" t="str"><v>x</v><extLst><ext uri="{1}"><x14:id>7</x14:id></ext></extLst></c>'],
  ])('with %s', (_, xml) => {
    expect(cells(xml)).toEqual(['', 'x'])
  })

  test('with a prefix is the same in each part of the workbook', () => {
    const parts = {
      'xl/workbook.xml':
        '<x:workbook xmlns:x="m" xmlns:d3p1="r"><x:sheets><x:sheet d3p1:id="R7" sheetId="R9" name="a"/></x:sheets></x:workbook>',
      'xl/_rels/workbook.xml.rels': `<p:Relationships><p:Relationship Target='./worksheets/sheet2.xml' Id='R7'/></p:Relationships>`,
      [SHEET]:
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<x:worksheet xmlns:x="m"><x:sheetData><x:row r="2"><x:c r="A2" t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      [STRINGS]: '<x:sst><x:si><x:r><x:t>YAL</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh></x:si></x:sst>',
    }
    expect(rowsOf(parts)).toEqual([[], ['YAL']])
  })

  test('in a comment or CDATA is no cell', () => {
    expect(cells('<!-- <c t="str"><v>old</v></c> --><c t="str"><v>new</v></c><![CDATA[<c><v>1</v></c>]]>')).toEqual(['new'])
  })
})

describe('refused is', () => {
  const entity = (declared: string, used: string) =>
    rowsOf.bind(null, {
      [SHEET]: `<?xml version="1.0"?><!DOCTYPE worksheet ${declared}><worksheet><row><c t="str"><v>${used}</v></c></row></worksheet>`,
    })
  const lol = Array.from({ length: 10 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  test.each([
    ['an entity that grows by the power', entity(`[<!ENTITY l0 "lol">${lol}]`, '&l10;')],
    ['an entity from elsewhere', entity('[<!ENTITY x SYSTEM "file:///etc/hostname">]', '&x;')],
    ['a DOCTYPE that declares nothing', entity('', 'x')],
    ['an entity that nobody declared', () => text('&nbsp;')],
    ['a character that is none', () => text('&#0;')],
    ['a bare ampersand', () => text('A & B')],
    ['a tag that is not closed', () => cells('<c><v>1</v>')],
    ['a tag that closes another', () => cells('<c><v>1</c></v>')],
    ['an attribute that is there twice', () => cells('<c r="A1" r="B1"><v>1</v></c>')],
    ['an attribute without quotes', () => cells('<c r=A1><v>1</v></c>')],
    ['a file that ends within', () => rowsOf({ [SHEET]: '<worksheet><row><c><v>1' })],
    ['a list of sheets that is broken', () => rowsOf({ 'xl/workbook.xml': '<workbook><sheets>' })],
    ['shared texts that are broken', () => cells('<c t="s"><v>0</v></c>', '<sst><si><t>A</si></sst>')],
  ])('%s', (_, read) => {
    expect(refusal(read)).toBe(BROKEN)
  })

  const megabytes = (piece: string, count = 8) => piece.repeat((count * 1024 * 1024) / piece.length)
  test.each([
    ['elements in elements', megabytes('<a>')],
    ['a tag of a million attributes', `<a ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(' ')}/>`],
    ['a name without end', `<${megabytes('x')}`],
    ['a text without end', `<c t="str"><v>${megabytes('&lt;')}</v></c>`],
    ['comments without end', `<c t="str"><v>${megabytes('<!-- -->')}</v></c>`],
    ['CDATA without end', `<c t="str"><v><![CDATA[${megabytes(']')}`],
  ])('%s, before it fills memory', (_, xml) => {
    const before = process.memoryUsage().rss
    const took = computedMs(() => expect(refusal(() => readXml(xml, {}))).toBe(BROKEN))
    expect(took).toBeLessThan(2_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024)
  })
})

test('sheets: a value on the boundary of two chunks is read whole', () => {
  // Pieces are 64 KiB; every part of a cell falls on the edge once.
  const cell = '<c t="str" r="B1"><v>A&amp;<![CDATA[📦]]><!-- - -->\r\nZ</v></c>'
  for (let before = 64 * 1024 - cell.length - 1; before <= 64 * 1024; before += 1) {
    const seen: string[] = []
    const xml = `${' '.repeat(before)}${cell}`
    readXml(xml, {
      open: (name, { t, r }) => name === 'c' && seen.push(`${t} ${r}`),
      close: (name, said) => name === 'v' && seen.push(said),
    })
    expect(seen).toEqual(['str B1', 'A&📦\nZ'])
  }
})
