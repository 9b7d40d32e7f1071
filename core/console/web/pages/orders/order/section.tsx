import type { ComponentChildren } from 'preact'

interface SectionProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** Part of an order with its heading. */
export const Section = ({ title, children }: SectionProps) => (
  <section>
    <h2 class="section-title">{title}</h2>
    {children}
  </section>
)
