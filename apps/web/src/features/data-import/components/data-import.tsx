import { Braces, FileSpreadsheet } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";
import { importTexts } from "../texts.ts";
import { ImportForm } from "./import-form.tsx";
import { LastImports } from "./last-imports.tsx";

/** Leads from CSV or JSON, and what was imported of late (specification §2, Data Import). */
export function DataImport() {
  const t = useTexts(importTexts);
  return (
    <>
      <Card className="min-w-0">
        <CardHeader>
          <CardTitle>{t("title")}</CardTitle>
          <CardDescription>{t("description")}</CardDescription>
        </CardHeader>
        <CardContent>
          <Tabs defaultValue="csv">
            <TabsList aria-label={t("formats")}>
              <TabsTrigger value="csv">
                <FileSpreadsheet aria-hidden />
                {t("csv")}
              </TabsTrigger>
              <TabsTrigger value="json">
                <Braces aria-hidden />
                {t("json")}
              </TabsTrigger>
            </TabsList>
            <TabsContent value="csv">
              <ImportForm format="csv" />
            </TabsContent>
            <TabsContent value="json">
              <ImportForm format="json" />
            </TabsContent>
          </Tabs>
        </CardContent>
      </Card>
      <LastImports />
    </>
  );
}
