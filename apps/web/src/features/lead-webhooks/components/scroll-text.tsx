interface ScrollTextProps {
  label: string;
  text: string;
}

/** A text as it came, in a frame of its own that keys can scroll. */
export function ScrollText({ label, text }: ScrollTextProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-label={label}
      className="max-h-64 overflow-auto rounded-lg bg-muted p-3"
    >
      <pre className="whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]">{text}</pre>
    </section>
  );
}
