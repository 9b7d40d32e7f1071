import { expect, test } from 'bun:test'
import { type Page, pages, withoutCode } from './pages.ts'

const WORDS_MAX = 25

/** Pages written by hand for readers. Columns of imports, roles, tables and events are texts of the code, and are checked there. */
const written = pages.filter(
  ({ path }) =>
    /^(README|CONTRIBUTING|docs\/|adapters\/[^/]+\/[^/]+\/README)/.test(path) && !/^docs\/(imports|roles|data-model|webhooks)\//.test(path),
)

/** Sentences of a page: of its paragraphs, items and cells, with a link as its text and a piece of code as one word. */
function sentencesOf({ text }: Page): string[] {
  const plain = withoutCode(text)
    .replace(/<!--.*?-->/g, '')
    .replace(/`[^`\n]*`/g, 'code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const blocks = plain.split(/\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\.) ?)/)
  return blocks.flatMap((block) =>
    block.startsWith('|')
      ? block.split('|').flatMap((cell) => cell.split(/(?<=[.!?:;])\s+/))
      : block.replaceAll('\n', ' ').split(/(?<=[.!?:;])\s+/),
  )
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

test('a sentence of the docs and of adapters’ READMEs has at most 25 words', () => {
  const long = written.flatMap((page) =>
    sentencesOf(page)
      .filter((sentence) => wordsOf(sentence).length > WORDS_MAX)
      .map((sentence) => `${page.path} (${wordsOf(sentence).length}): ${sentence.trim()}`),
  )
  expect(long).toEqual([])
})

test('users, customers and developers are "they" in the docs and in adapters’ READMEs', () => {
  const found = written.flatMap((page) =>
    sentencesOf(page)
      .filter((sentence) => /\b(?:he|him|his|himself|she|her|whoever|whosoever)\b/i.test(sentence))
      .map((sentence) => `${page.path}: ${sentence.trim()}`),
  )
  expect(found).toEqual([])
})
