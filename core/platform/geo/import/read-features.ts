import { ImportError } from './place-line.ts'

const FEATURE_CHARS_MAX = 32 * 1024 * 1024
const START = /"features"\s*:\s*\[/

/** Text of one feature of a GeoJSON file. */
export interface FeatureText {
  readonly text: string
  /** Line on which it starts. */
  readonly line: number
}

/**
 * Reads the features of a GeoJSON file one by one, so that a file of any size needs only the memory of its largest feature. Throws
 * `Unreadable`.
 */
export async function* readFeatures(chunks: AsyncIterable<string>): AsyncGenerator<FeatureText> {
  const scan = new FeatureScanner()
  let hasStarted = false
  let head = ''
  for await (const chunk of chunks) {
    if (hasStarted) {
      yield* scan.push(chunk)
      continue
    }
    head += chunk
    const start = START.exec(head)
    if (!start && head.length > FEATURE_CHARS_MAX) break
    if (!start) continue
    hasStarted = true
    const from = start.index + start[0].length
    scan.line += linesIn(head.slice(0, from))
    yield* scan.push(head.slice(from))
  }
  if (!hasStarted) throw new ImportError('The file is not a FeatureCollection: it has no array "features".')
  if (!scan.isOver) throw new ImportError(`line ${scan.line}: the file ends in the middle of its features.`)
}

/** Tracks brackets and strings from the first feature to the end of the array. */
class FeatureScanner {
  line = 1
  isOver = false
  #text = ''
  #began = 1
  #depth = 0
  #isString = false
  #isEscaped = false

  /** Returns true if this character is part of a string. */
  #inString(sign: string): boolean {
    if (!this.#isString) {
      if (sign === '"') this.#isString = true
      return this.#isString
    }
    if (this.#isEscaped) this.#isEscaped = false
    else if (sign === '\\') this.#isEscaped = true
    else if (sign === '"') this.#isString = false
    return true
  }

  *push(chunk: string): Generator<FeatureText> {
    let from = 0
    for (let at = 0; at < chunk.length && !this.isOver; at += 1) {
      const sign = chunk.charAt(at)
      if (sign === '\n') this.line += 1
      if (this.#inString(sign)) continue
      if (sign === '{' && this.#depth === 0) {
        from = at
        this.#began = this.line
      }
      if (sign === '{' || sign === '[') this.#depth += 1
      else if (sign === ']' && this.#depth === 0) this.isOver = true
      else if ((sign === '}' || sign === ']') && --this.#depth === 0) {
        yield { text: this.#text + chunk.slice(from, at + 1), line: this.#began }
        this.#text = ''
      }
    }
    if (this.#depth > 0) this.#text += chunk.slice(from)
    if (this.#text.length > FEATURE_CHARS_MAX) throw new ImportError(`line ${this.#began}: a feature is larger than 32 MiB.`)
  }
}

const linesIn = (text: string) => text.split('\n').length - 1
