import { escapeHtml } from '../../lib/html.ts'
import type { LandingWords, Language, Section } from './landing.model.ts'

/** What of a page is not the model's to say. */
export interface Facts {
  readonly name: string
  /** As it is shown, with its currency. */
  readonly price: string
  /** Addresses of the product's own pictures, and of those that were drawn. */
  readonly images: readonly string[]
  readonly drawn: readonly string[]
}

const order: Readonly<Record<Language, string>> = { ar: 'اطلب الآن', fr: 'Commander', en: 'Order now' }

/** A page of these sections, as HTML that runs nothing: every word of the model and of the shop is a text in it. */
export function renderSections({ title, language, sections }: LandingWords, facts: Facts): string {
  const drawn = [...facts.drawn]
  const parts = sections.map((section) => {
    const picture = section.kind === 'gallery' ? undefined : drawn.shift()
    return `<section class="landing-${section.kind}">${heading(section)}${picture ? image(picture, facts.name) : ''}${bodies[section.kind](section, facts, language)}</section>`
  })
  return page(title, language, [...parts, ...drawn.map((url) => image(url, facts.name))])
}

/** A page that is pictures, with the order behind them. */
export const renderPictures = (title: string, language: Language, pictures: readonly { url: string; alt: string }[]): string =>
  page(title, language, [...pictures.map(({ url, alt }) => image(url, alt)), button(language, undefined)])

const page = (title: string, language: Language, parts: readonly string[]): string =>
  `<article class="landing" lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">\n<h1>${escapeHtml(title)}</h1>\n${parts.join('\n')}\n</article>`

type Body = (section: Section, facts: Facts, language: Language) => string

const bodies: Readonly<Record<Section['kind'], Body>> = {
  hero: ({ text, button: label }, { images: [first], name }, language) =>
    `${first ? image(first, name) : ''}${words(text)}${button(language, label)}`,
  benefits: ({ text, items }) => words(text) + listOf('ul', items),
  text: ({ text, items }) => words(text) + listOf('ul', items),
  steps: ({ text, items }) => words(text) + listOf('ol', items),
  details: ({ text, items }) => words(text) + terms(items),
  gallery: ({ text }, { images, name }) => words(text) + images.map((url) => image(url, name)).join(''),
  questions: ({ items = [] }) =>
    items.map(({ title, text }) => `<details><summary>${escapeHtml(title)}</summary>${words(text)}</details>`).join(''),
  offer: ({ text, button: label }, { price }, language) =>
    `${words(text)}<p class="landing-price">${escapeHtml(price)}</p>${button(language, label)}`,
}

const heading = ({ title }: Section) => (title ? `<h2>${escapeHtml(title)}</h2>` : '')
const words = (text = '') =>
  text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')
const listOf = (tag: 'ul' | 'ol', items: Section['items'] = []) =>
  items.length === 0
    ? ''
    : `<${tag}>${items.map(({ title, text }) => `<li><strong>${escapeHtml(title)}</strong>${words(text)}</li>`).join('')}</${tag}>`
const terms = (items: Section['items'] = []) =>
  items.length === 0
    ? ''
    : `<dl>${items.map(({ title, text = '' }) => `<dt>${escapeHtml(title)}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`
const button = (language: Language, label: string | undefined) =>
  `<p><a class="landing-order" href="#order">${escapeHtml(label || order[language])}</a></p>`

/** Whatever is no address of a picture on the web is left out. */
const image = (url: string, alt: string) =>
  /^(https?:\/\/|\/)[^\s]+$/.test(url) ? `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" loading="lazy">` : ''
