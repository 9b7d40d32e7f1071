import { SaxesParser } from 'saxes'
import { broken } from './refusals.ts'

/** Deeper than a workbook ever is; what goes further is made to fill memory. */
const DEPTH_MAX = 64
/** Characters that are read at once, and how often no tag may end in them: none, and no text, is a megabyte long. */
const CHUNK = 64 * 1024
const QUIET_MAX = 16

/** By the names that they have in the file, prefixes and all. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** Elements as they come. A prefix before their name is left out: it says only which program wrote it. */
export interface Visitor {
  open?(name: string, attributes: Attributes): void
  /** `text`: what stood since the tag before. */
  close?(name: string, text: string): void
}

/** Its encoding is of no use: the text is decoded. */
const DECLARATION = /^\s*<\?xml\s[^<>]*\?>/

/** Reads XML. Throws `sheet_unreadable` where it is not well formed, and for a DOCTYPE: no spreadsheet has entities of its own. */
export function readXml(xml: string, { open, close }: Visitor) {
  // As a fragment: some programs leave the root out, and most prefixes are declared nowhere.
  const parser = new SaxesParser({ xmlns: false, fragment: true, position: false } as const)
  let [depth, quiet, text] = [0, 0, '']
  const add = (more: string) => {
    text = text === '' ? more : text + more
  }
  const refuse = () => {
    throw broken()
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    quiet = 0
    if (depth > DEPTH_MAX) refuse()
    open?.(withoutPrefix(name), attributes)
    text = ''
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    quiet = 0
    close?.(withoutPrefix(name), text)
    text = ''
  })
  for (let at = DECLARATION.exec(xml)?.[0].length ?? 0; at < xml.length; at += CHUNK) {
    if (quiet === QUIET_MAX) refuse()
    quiet += 1
    parser.write(xml.slice(at, at + CHUNK))
  }
  parser.close()
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)
