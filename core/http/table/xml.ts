import { SaxesParser } from 'saxes'
import { brokenWorkbook } from './sheet-errors.ts'

/** Maximum nesting. Workbooks stay below; deeper files are made to exhaust memory. */
const DEPTH_MAX = 64
/** Characters that are parsed at once, and consecutive chunks without a tag that are accepted. No text is a megabyte long. */
const CHUNK = 64 * 1024
const TAGLESS_CHUNKS_MAX = 16

/** Attributes by their names in the file, with prefixes. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** Handlers of elements. Names come without their prefix, which depends on the program that wrote the file. */
export interface Visitor {
  open?(name: string, attributes: Attributes): void
  /** Called at a closing tag. `text` is the text since the previous tag. */
  close?(name: string, text: string): void
}

/** XML declaration. Its encoding is ignored, because the text is already decoded. */
const DECLARATION = /^\s*<\?xml\s[^<>]*\?>/

/** Parses XML. Throws `sheet_unreadable` if it is not well formed, or has a DOCTYPE, since spreadsheets define no entities. */
export function readXml(xml: string, { open, close }: Visitor) {
  // Parses a fragment without namespaces: some programs omit the root, and most prefixes are undeclared.
  const parser = new SaxesParser({ xmlns: false, fragment: true, position: false } as const)
  let [depth, chunksWithoutTag, text] = [0, 0, '']
  const add = (more: string) => {
    text = text === '' ? more : text + more
  }
  const refuse = () => {
    throw brokenWorkbook()
  }
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    chunksWithoutTag = 0
    if (depth > DEPTH_MAX) refuse()
    open?.(withoutPrefix(name), attributes)
    text = ''
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    chunksWithoutTag = 0
    close?.(withoutPrefix(name), text)
    text = ''
  })
  for (let at = DECLARATION.exec(xml)?.[0].length ?? 0; at < xml.length; at += CHUNK) {
    if (chunksWithoutTag === TAGLESS_CHUNKS_MAX) refuse()
    chunksWithoutTag += 1
    parser.write(xml.slice(at, at + CHUNK))
  }
  parser.close()
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)
