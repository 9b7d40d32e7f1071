import { escapeHtml } from '../../lib/html.ts'
import type { LandingTexts, Language, Section } from './landing.model.ts'

/** Facts of a page that come from the shop and not from the model. */
export interface PageFacts {
  readonly name: string
  /** Price as shown, with its currency. */
  readonly price: string
  /** URLs of the product's own images. */
  readonly images: readonly string[]
  /** URLs of the generated images. */
  readonly generatedImages: readonly string[]
}

const orderLabels: Readonly<Record<Language, string>> = { ar: 'اطلب الآن', fr: 'Commander', en: 'Order now' }

/**
 * Renders sections as HTML without scripts. Escapes every text of the model and of the shop. Places generated images first in the sections.
 */
export function renderSections({ title, language, sections }: LandingTexts, facts: PageFacts): string {
  const drawn = [...facts.generatedImages]
  const parts = sections.map((section) => {
    const picture = section.kind === 'gallery' ? undefined : drawn.shift()
    return `<section class="landing-${section.kind}">${heading(section)}${picture ? image(picture, facts.name) : ''}${bodies[section.kind](section, facts, language)}</section>`
  })
  return page(title, language, [...parts, ...drawn.map((url) => image(url, facts.name))])
}

/** Renders a page of images, followed by the order button. */
export const renderPictures = (title: string, language: Language, pictures: readonly { url: string; alt: string }[]): string =>
  page(title, language, [...pictures.map(({ url, alt }) => image(url, alt)), button(language, undefined)])

const page = (title: string, language: Language, parts: readonly string[]): string =>
  `<article class="landing" lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">\n<h1>${escapeHtml(title)}</h1>\n${parts.join('\n')}\n</article>`

type Body = (section: Section, facts: PageFacts, language: Language) => string

const bodies: Readonly<Record<Section['kind'], Body>> = {
  hero: ({ text, button: label }, { images: [first], name }, language) =>
    `${first ? image(first, name) : ''}${paragraphs(text)}${button(language, label)}`,
  benefits: ({ text, items }) => paragraphs(text) + listOf('ul', items),
  text: ({ text, items }) => paragraphs(text) + listOf('ul', items),
  steps: ({ text, items }) => paragraphs(text) + listOf('ol', items),
  details: ({ text, items }) => paragraphs(text) + terms(items),
  gallery: ({ text }, { images, name }) => paragraphs(text) + images.map((url) => image(url, name)).join(''),
  questions: ({ items = [] }) =>
    items.map(({ title, text }) => `<details><summary>${escapeHtml(title)}</summary>${paragraphs(text)}</details>`).join(''),
  offer: ({ text, button: label }, { price }, language) =>
    `${paragraphs(text)}<p class="landing-price">${escapeHtml(price)}</p>${button(language, label)}`,
}

const heading = ({ title }: Section) => (title ? `<h2>${escapeHtml(title)}</h2>` : '')
const paragraphs = (text = '') =>
  text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')
const listOf = (tag: 'ul' | 'ol', items: Section['items'] = []) =>
  items.length === 0
    ? ''
    : `<${tag}>${items.map(({ title, text }) => `<li><strong>${escapeHtml(title)}</strong>${paragraphs(text)}</li>`).join('')}</${tag}>`
const terms = (items: Section['items'] = []) =>
  items.length === 0
    ? ''
    : `<dl>${items.map(({ title, text = '' }) => `<dt>${escapeHtml(title)}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`
const button = (language: Language, label: string | undefined) =>
  `<p><a class="landing-order" href="#order">${escapeHtml(label || orderLabels[language])}</a></p>`

/** Renders an image; returns an empty string for a URL that is neither absolute nor a path. */
const image = (url: string, alt: string) =>
  /^(https?:\/\/|\/)[^\s]+$/.test(url) ? `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" loading="lazy">` : ''
