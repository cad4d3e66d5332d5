// The same model in C++17: handles free themselves, what fails is an exception.
#include <sconce.hpp>

#include <iostream>

int main(int count, char **arguments) {
    if (count != 2) {
        std::cerr << "usage: " << arguments[0] << " MODEL\n";
        return 2;
    }
    try {
        const sconce::Model model = sconce::Model::load(arguments[1], sconce::Options().fuel(100000));
        for (const std::string &name : model.method_names()) {
            std::cout << name << "(";
            for (const sconce::Parameter &p : model.method(name).parameters()) {
                std::cout << " " << p.name << ": " << p.type << (p.has_default ? " = ..." : "");
            }
            std::cout << " )\n";
        }

        const auto x = sconce::Tensor::copy<float>({1, 2, 3, 3, 2, 1}, {2, 3});
        for (const float y : model(x).as_tensor().to_vector<float>()) {
            std::cout << y << " ";
        }
        std::cout << "\n";

        const auto best = model.method("best");
        const sconce::Value names = sconce::Value::list({"falling", "sum"});
        const sconce::Value found = best.call({names}, {{"x", sconce::Tensor::take<float>({1, 2, 3}, {1, 3})}});
        std::cout << found.to_text() << ": " << found[0].as_string() << " of " << found[1].size() << ", sum "
                  << found[1].find("sum")->as_double() << (found[1].find("other") ? "" : ", no other") << "\n";

        const sconce::Value mixed = sconce::Value::tuple(
            {nullptr, true, 7, 2.5, std::complex<double>(1, -2), std::string("a\0b", 3), sconce::Value::dict({{1, 2}})});
        std::cout << mixed.to_text() << " " << mixed[5].as_string().size() << " " << mixed[6].entry(0).second.as_int()
                  << "\n";

        try {
            best(sconce::Value::list({"only"}), x);
        } catch (const sconce::Error &e) {
            std::cout << e.class_name() << ": " << e.message() << ", in " << e.traceback().front().function << "\n";
        }
        try {
            model.method("forever")();
        } catch (const sconce::Error &e) {
            std::cout << (e.status() == SCONCE_STATUS_LIMIT) << ": " << e.message() << "\n";
        }
    } catch (const std::exception &e) {
        std::cerr << "error: " << e.what() << "\n";
        return 1;
    }
    return 0;
}
